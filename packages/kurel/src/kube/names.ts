/**
 * Each check returns `undefined`, or the reason why Kubernetes would reject the string: the end of a sentence that starts
 * with the kind of string, as in `name "Web" must …`.
 */
type Reason = string | undefined;

interface Rule {
  readonly longest?: number;
  readonly pattern: RegExp;
  readonly shape: string;
}

/** DNS-1123 label: names of namespaces, containers and parts of Services. */
export const checkDnsLabel = createCheck({
  longest: 63,
  pattern: /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/,
  shape: 'must consist of lower-case letters, digits and "-", and start and end with a letter or digit',
});

/** DNS-1123 subdomain: names of most objects. */
export const checkDnsSubdomain = createCheck({
  longest: 253,
  pattern: /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/,
  shape:
    'must consist of lower-case letters, digits, "-" and ".", and each part between dots must start and end with a letter or digit',
});

/** DNS-1035 label: names of Services. */
export const checkDns1035Label = createCheck({
  longest: 63,
  pattern: /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/,
  shape: 'must consist of lower-case letters, digits and "-", start with a letter and end with a letter or digit',
});

const checkQualifiedName = createCheck({
  longest: 63,
  pattern: /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/,
  shape: 'must consist of letters, digits, "-", "_" and ".", and start and end with a letter or digit',
});

export const checkCIdentifier = createCheck({
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  shape: 'must consist of letters, digits and "_", and not start with a digit',
});

const checkStrictEnvVarName = createCheck({
  pattern: /^[-._A-Za-z][-._A-Za-z0-9]*$/,
  shape: 'must consist of letters, digits, "-", "_" and ".", and not start with a digit',
});

const checkRelaxedEnvVarName = createCheck({
  pattern: /^[\x20-\x3c\x3e-\x7e]+$/,
  shape: 'must consist of printable ASCII characters without "="',
});

/** Names that only have to be valid in a URL path, such as those of roles. */
export function checkPathSegment(text: string): Reason {
  if (text === '') return 'must not be empty';
  if (text === '.' || text === '..') return 'must not be "." or ".."';
  return /[/%]/.test(text) ? 'must not contain "/" or "%"' : undefined;
}

/** `[prefix/]name`, the format of label keys. */
export function checkLabelKey(text: string): Reason {
  const parts = text.split('/');
  if (parts.length > 2) return 'must have at most one "/", between prefix and name';
  const name = parts.at(-1)!;
  const nameReason = checkQualifiedName(name);
  if (parts.length === 1) return nameReason;
  const prefixReason = checkDnsSubdomain(parts[0]!);
  if (prefixReason !== undefined) return `has an invalid prefix: it ${prefixReason}`;
  return nameReason === undefined ? undefined : `has an invalid name after "/": it ${nameReason}`;
}

export function checkLabelValue(text: string): Reason {
  return text === '' ? undefined : checkQualifiedName(text);
}

/** Names of container and Service ports. */
export function checkPortName(text: string): Reason {
  if (text === '') return 'must not be empty';
  if (text.length > 15) return explainLength(text, 15);
  if (!/^[-a-z0-9]+$/.test(text)) return 'must consist of lower-case letters, digits and "-"';
  if (!/[a-z]/.test(text)) return 'must contain a letter';
  if (text.includes('--')) return 'must not contain "--"';
  return /^-|-$/.test(text) ? 'must start and end with a letter or digit' : undefined;
}

/** Names of environment variables; `relaxed` is the rule of clusters from 1.34 on, where it is always enabled. */
export function checkEnvVarName(text: string, options: { readonly relaxed?: boolean } = {}): Reason {
  if (options.relaxed === true) return checkRelaxedEnvVarName(text);
  const reason = checkStrictEnvVarName(text);
  if (reason !== undefined) return reason;
  return text === '.' || text.startsWith('..') ? 'must not be "." or start with ".."' : undefined;
}

function createCheck({ longest = Infinity, pattern, shape }: Rule): (text: string) => Reason {
  return (text) => {
    if (text === '') return 'must not be empty';
    if (text.length > longest) return explainLength(text, longest);
    return pattern.test(text) ? undefined : shape;
  };
}

function explainLength(text: string, longest: number): string {
  return `must have at most ${longest} characters, not ${text.length}`;
}
