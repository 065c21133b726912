import { Optional } from '@marcbachmann/cel-js';
import type { Environment } from '@marcbachmann/cel-js';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
} from '../../kube/index.ts';
import { findFormat } from '../../schema/index.ts';

type Check = (text: string) => string | undefined;

/** A format as rules get it from `format.dns1123Label()`. */
class Format {
  readonly check: Check;

  constructor(check: Check) {
    this.check = check;
  }
}

/** Stands for `format` in front of a call. */
class FormatNamespace {
  readonly name = 'format';
}

const formats: Readonly<Record<string, Check>> = {
  dns1123Label: checkDnsLabel,
  dns1123Subdomain: checkDnsSubdomain,
  dns1035Label: checkDns1035Label,
  qualifiedName: checkLabelKey,
  labelValue: checkLabelValue,
  // A prefix has something added to it, so it may end as the whole may not.
  dns1123LabelPrefix: (text) => checkDnsLabel(`${text}a`),
  dns1123SubdomainPrefix: (text) => checkDnsSubdomain(`${text}a`),
  dns1035LabelPrefix: (text) => checkDns1035Label(`${text}a`),
  uri: schemaFormat('uri'),
  uuid: schemaFormat('uuid'),
  byte: schemaFormat('byte'),
  date: schemaFormat('date'),
  datetime: schemaFormat('date-time'),
};

function schemaFormat(name: string): Check {
  return (text) => {
    const format = findFormat('string', name)!;
    return format.fits(text) ? undefined : `must be ${format.expected}`;
  };
}

export function registerFormats(environment: Environment): void {
  environment
    .registerType('kubernetes.NamedFormat', Format)
    .registerType('FormatNamespace', FormatNamespace)
    .registerConstant('format', 'FormatNamespace', new FormatNamespace());
  for (const [name, check] of Object.entries(formats)) {
    const format = new Format(check);
    environment.registerFunction(`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => format);
  }
  environment
    .registerFunction('FormatNamespace.named(string): optional<kubernetes.NamedFormat>', (_: unknown, name: string) =>
      Object.hasOwn(formats, name) ? Optional.of(new Format(formats[name]!)) : Optional.none(),
    )
    .registerFunction(
      'kubernetes.NamedFormat.validate(string): optional<list<string>>',
      ({ check }: Format, text: string) => {
        const reason = check(text);
        return reason === undefined ? Optional.none() : Optional.of([reason]);
      },
    );
}
