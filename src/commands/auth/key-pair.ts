import { wrongPlaceHint } from '../../client/error-mapping.ts';
import type { Context } from '../../context.ts';
import type { ErrorCode } from '../../errors.ts';
import { restated, SwapctlError } from '../../errors.ts';
import type { Profile, StoredProfile } from '../../settings/profile.ts';
import { withProgress } from '../../terminal/progress.ts';
import type { ProfileResult } from '../../views/profile.ts';
import { placeOfSecret } from '../shared/secret-place.ts';

/** Proves a key pair by the cheapest signed read. */
export async function prove(context: Context, profile: Profile): Promise<void> {
  const { client } = await context.serviceFor(profile);
  try {
    await withProgress(context.streams, 'Proving the key pair', () => client.coins(1, 1));
  } catch (error) {
    throw profile.kind === 'remote' && error instanceof SwapctlError && NOT_THERE.has(error.code)
      ? restated(error, error.message, { hint: wrongPlaceHint(profile.baseUrl) })
      : error;
  }
}

/** What a listing is answered with at a base URL that is not the service's. */
const NOT_THERE: ReadonlySet<ErrorCode> = new Set(['not_found', 'bad_response'] as const);

/** A stored profile as it may be shown; nothing is asked of the service or the keychain. */
export function storedResult(
  name: string,
  profile: StoredProfile,
  context: Context,
  current: boolean,
): ProfileResult {
  const { baseUrl, publicKey, environment } = profile;
  return {
    name,
    current,
    environment,
    baseUrl,
    publicKey,
    secret: placeOfSecret({ kind: 'remote', name, source: context.settings.paths.configFile, ...profile }),
    verified: null,
    state: 'unchecked',
  };
}
