import type { Diagnostic, Location, Message, SettingMention } from '../model/index.ts';
import type { CommandOption, SettingName } from '../settings/index.ts';
import { quote } from './quote.ts';

type Name = SettingName | CommandOption;

/** How a caller writes a setting. */
export type Spelling = (mention: SettingMention) => string;

/** A setting in a message, with a value or a placeholder for one: `setting('profile', 'FILE')`. */
export function setting(name: Name, value?: string): SettingMention {
  return { setting: name, ...(value === undefined ? {} : { value }) };
}

/** The advice to set it: `pass --profile FILE`, `set "profile" in the fleet file`. */
export function pass(name: Name, value?: string): SettingMention {
  return { ...setting(name, value), isAdvised: true };
}

/** The advice to name something: `pass a policy with --policy`, `name a policy in "policy" of the fleet file`. */
export function passIn(what: string, name: Name): SettingMention {
  return { ...pass(name), what };
}

/** A message of texts, settings and other messages. Only mentions become settings, whatever a text contains. */
export function sentence(strings: TemplateStringsArray, ...values: readonly (Message | SettingMention)[]): Message {
  const parts: (string | SettingMention)[] = [];
  let text = '';
  const add = (part: string | SettingMention): void => {
    if (typeof part === 'string') text += part;
    else {
      parts.push(...(text === '' ? [] : [text]), part);
      text = '';
    }
  };
  for (const [index, string] of strings.entries()) {
    add(string);
    const value = values[index] ?? '';
    if (isParts(value)) value.forEach(add);
    else add(value);
  }
  if (parts.length === 0) return text;
  return text === '' ? parts : [...parts, text];
}

function isParts(message: Message | SettingMention): message is Extract<Message, readonly unknown[]> {
  return Array.isArray(message);
}

/** Messages between separators: `--values, --set`. */
export function joinMessages(messages: readonly (Message | SettingMention)[], separator: string): Message {
  return messages.reduce<Message>(
    (joined, message, index) => sentence`${joined}${index === 0 ? '' : separator}${message}`,
    '',
  );
}

export function spell(message: Message, spelling: Spelling): string {
  if (typeof message === 'string') return message;
  return message.map((part) => (typeof part === 'string' ? part : spelling(part))).join('');
}

interface KeyStyle {
  /** The key of a setting as it is shown; undefined if the caller cannot set it. */
  readonly keyOf: (setting: string) => string | undefined;
  /** What has the keys, in advice: `the fleet file`. */
  readonly document?: string;
  /** For settings without a key. */
  readonly otherwise?: Spelling;
}

/** Spells settings as keys of a document: `"profile"`, `"layout: flux"`, `set "profile" in the fleet file`. */
export function spellAsKeys({ keyOf, document, otherwise = spellPlainly }: KeyStyle): Spelling {
  return (mention) => {
    const key = keyOf(mention.setting);
    return key === undefined ? otherwise(mention) : spellAsKey(mention, key, document);
  };
}

function spellAsKey({ value, isAdvised = false, what }: SettingMention, key: string, document?: string): string {
  const [inside, ofDocument] = document === undefined ? ['', ''] : [` in ${document}`, ` of ${document}`];
  if (what !== undefined) return `name ${what} in ${quote(key)}${ofDocument}`;
  const [entry, assigned] = value?.split('=', 2) ?? [];
  // An assignment is an entry of a list or an object.
  if (isAdvised && assigned !== undefined) return `add ${quote(entry!)} to ${quote(key)}${inside}`;
  const shown = quote(value === undefined || isPlaceholder(value) ? key : `${key}: ${value}`);
  return isAdvised ? `set ${shown}${inside}` : shown;
}

function isPlaceholder(value: string): boolean {
  return /^[A-Z]+$/.test(value);
}

/** For callers of the library, whose settings have names but no flags. */
export function spellPlainly(mention: SettingMention): string {
  return spellAsKey(mention, mention.setting);
}

/** Where a caller has written a setting, in a file of its own. */
export type FindSetting = (mention: SettingMention) => Location | undefined;

const nowhere: FindSetting = () => undefined;

/**
 * The finding as a caller reads it, without parts. A text that was changed after the finding was made stays. A finding at a setting is at
 * the entry that sets it, if the caller has one.
 */
export function spellDiagnostic(
  diagnostic: Diagnostic,
  spelling: Spelling,
  findSetting: FindSetting = nowhere,
): Diagnostic {
  const { parts = {}, ...rest } = diagnostic;
  const { message, hint, location, related } = rest;
  const isNamed = [location, ...(related ?? []).map((other) => other.location)].some((at) => at?.setting !== undefined);
  if (diagnostic.parts === undefined && !isNamed) return diagnostic;
  const respell = (text: string, own: Message | undefined): string =>
    own !== undefined && spell(own, spellPlainly) === text ? spell(own, spelling) : text;
  const spellLocation = ({ setting: mention, ...place }: Location): Location =>
    mention === undefined ? place : (findSetting(mention) ?? { ...place, file: spelling(mention) });
  return {
    ...rest,
    message: respell(message, parts.message),
    ...(hint === undefined ? {} : { hint: respell(hint, parts.hint) }),
    ...(location === undefined ? {} : { location: spellLocation(location) }),
    ...(related === undefined
      ? {}
      : {
          related: related.map((other) => Object.assign({}, other, { location: spellLocation(other.location) })),
        }),
  };
}

/** The settings that a message names. */
export function mentionsIn(message: Message = ''): readonly SettingMention[] {
  return typeof message === 'string' ? [] : message.filter((part) => typeof part !== 'string');
}

/** The finding with all its texts edited. */
export function editTexts(diagnostic: Diagnostic, edit: (text: string) => string): Diagnostic {
  const editMention = (mention: SettingMention): SettingMention =>
    mention.value === undefined ? mention : { ...mention, value: edit(mention.value) };
  const editMessage = (message: Message): Message =>
    typeof message === 'string'
      ? edit(message)
      : message.map((part) => (typeof part === 'string' ? edit(part) : editMention(part)));
  const hint = hintIn(diagnostic);
  const message = editMessage(messageIn(diagnostic));
  return withTexts(diagnostic, { message, ...(hint === undefined ? {} : { hint: editMessage(hint) }) });
}

/** The message of a finding, to be put into another one. */
export function messageIn({ message, parts }: Diagnostic): Message {
  return parts?.message ?? message;
}

export function hintIn({ hint, parts }: Diagnostic): Message | undefined {
  return parts?.hint ?? hint;
}

/** The finding with other texts. */
export function withTexts(
  { parts, ...diagnostic }: Diagnostic,
  { message = parts?.message ?? diagnostic.message, hint = parts?.hint ?? diagnostic.hint }: Partial<Wording>,
): Diagnostic {
  return { ...diagnostic, ...writeTexts({ message, hint }) };
}

interface Wording {
  readonly message: Message;
  readonly hint: Message | undefined;
}

/** The texts of a finding, with their parts if they name settings. */
export function writeTexts({ message, hint }: Wording): Pick<Diagnostic, 'message' | 'hint' | 'parts'> {
  const own = {
    ...(typeof message === 'string' ? {} : { message }),
    ...(hint === undefined || typeof hint === 'string' ? {} : { hint }),
  };
  return {
    message: spell(message, spellPlainly),
    ...(hint === undefined ? {} : { hint: spell(hint, spellPlainly) }),
    ...(Object.keys(own).length === 0 ? {} : { parts: own }),
  };
}
