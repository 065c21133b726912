import type { Budget, Diagnostic, Json, KubeObject, Location, Path } from '../../model/index.ts';
import type { FindingLimit } from '../../budget/index.ts';
import type { Change, PatchOptions } from '../application.ts';
import type { KindShape } from './kind-shape.ts';
import type { ImagePart } from './find-places.ts';
import type { PreparedField } from './prepared.ts';

/** One object while a set of patches is applied to it. */
export interface ObjectPatching {
  /** Position in the input. */
  readonly index: number;
  /** `shop/deployment.web` */
  readonly key: string;
  readonly shape: KindShape;
  readonly options: PatchOptions;
  readonly budget: Budget;
  readonly changes: Change[];
  /** What patches want of fields, also where that changes nothing; kept only when conflicts are looked for. */
  readonly settings: Setting[] | undefined;
  /** Reports, and remembers that the object cannot be patched when it is an error. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** As `report`, but says the same thing only once for all objects of a kind. */
  readonly reportOnce: (diagnostic: Diagnostic) => void;
  /** Whether no more findings of a code are kept. */
  readonly isFull: FindingLimit['isFull'];
  readonly trace: ((line: string) => void) | undefined;
  /** Parts of images that wait for a repository in the same file, by path. */
  readonly pendingImages: Map<string, PendingImage>;
  object: KubeObject;
  /** Mappings and lists of `object` that only it has. */
  owned: Set<object>;
  failed: boolean;
  enabled: { readonly value: boolean; readonly location: Location } | undefined;
}

export interface Setting {
  /** The path with names for positions, which other patches may move: `containers[name=main].image`. */
  readonly path: string;
  readonly value: Json | undefined;
  readonly location: Location;
}

/** A patch at work on an object. */
export interface Patching {
  readonly prepared: PreparedField;
  readonly patching: ObjectPatching;
}

export interface PendingImage {
  readonly path: Path;
  readonly parts: { readonly part: ImagePart; readonly text: string; readonly location: Location }[];
}
