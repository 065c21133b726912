import type { Identity } from '../../signing/index.ts';
import { listFlag, switchFlag, textFlag } from '../command.ts';
import type { FlagDefinitions, FlagValues } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import type { TrustFiles } from './read-trust.ts';

export const keyFlags = {
  key: textFlag(
    'FILE',
    'Private key to sign with, of cosign or in PKCS #8. Its password is read from COSIGN_PASSWORD.',
    { completes: 'path' },
  ),
  'password-stdin': switchFlag('Read the password of the key from stdin.'),
} as const satisfies FlagDefinitions;

export const trustFlags = {
  key: listFlag('FILE', 'Public key of the signer. If there are several, one of them must have signed.', {
    completes: 'path',
  }),
  identity: textFlag('NAME', 'E-mail address or workflow URL in the certificate of the signer, instead of a key.'),
  issuer: textFlag('URL', 'Where the identity logged in, as the certificate says.'),
  'trusted-root': textFlag('FILE', 'Trusted root of Sigstore (trusted_root.json) to verify certificates with.', {
    completes: 'path',
  }),
} as const satisfies FlagDefinitions;

/** A key, or an identity with everything that is needed to verify it. */
export function readTrustFlags(flags: FlagValues<typeof trustFlags>): TrustFiles {
  const { key: keys, identity, issuer, 'trusted-root': trustedRoot } = flags;
  if (identity === undefined) {
    const unused = issuer === undefined ? (trustedRoot === undefined ? undefined : '--trusted-root') : '--issuer';
    if (unused !== undefined) throw new UsageError(`${unused} needs --identity`, 'pass --identity NAME');
    if (keys.length === 0) {
      throw new UsageError(
        'a key or identity is missing',
        'pass --key FILE, or --identity NAME --issuer URL --trusted-root FILE',
      );
    }
    return { keys, identities: [] };
  }
  if (keys.length > 0) throw new UsageError('--key and --identity are mutually exclusive', 'remove one of them');
  if (issuer === undefined) throw new UsageError('--identity needs --issuer', 'pass --issuer URL');
  if (trustedRoot === undefined) throw new UsageError('--identity needs --trusted-root', 'pass --trusted-root FILE');
  const wanted: Identity = { issuer, subject: identity };
  return { keys: [], identities: [wanted], trustedRoot };
}
