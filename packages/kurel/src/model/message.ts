/** A setting in a message. The caller spells it: as a flag, as a key of a fleet file. */
export interface SettingMention {
  readonly setting: string;
  /** A value, or a placeholder for it: `flux`, `FILE`. */
  readonly value?: string;
  /** The message asks to set it: `pass --profile FILE`. */
  readonly isAdvised?: boolean;
  /** What the setting names, in advice: `pass a policy with --policy`. */
  readonly what?: string;
}

/** A text, or its parts if it names settings. */
export type Message = string | readonly (string | SettingMention)[];
