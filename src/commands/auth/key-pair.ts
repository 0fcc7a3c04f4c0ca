import { wrongPlaceHint } from '../../client/error-mapping.ts';
import type { Context } from '../../context.ts';
import { type ErrorCode, restated, SwapctlError } from '../../errors.ts';
import type { Profile, StoredProfile } from '../../settings/profile.ts';
import { withProgress } from '../../terminal/progress.ts';
import type { ProfileResult } from '../../views/profile.ts';
import { placeOfSecret } from '../shared/secret-place.ts';

/** Checks a key pair with the cheapest signed read; throws if the service does not accept it. */
export async function prove(context: Context, profile: Profile): Promise<void> {
  const { client } = await context.serviceFor(profile);
  try {
    await withProgress(context.streams, 'Checking the key pair', () => client.coins(1, 1));
  } catch (error) {
    throw profile.kind === 'remote' && error instanceof SwapctlError && NO_SERVICE.has(error.code)
      ? restated(error, error.message, { hint: wrongPlaceHint(profile.baseUrl) })
      : error;
  }
}

/** Codes of a listing at a base URL that does not belong to the service. */
const NO_SERVICE: ReadonlySet<ErrorCode> = new Set(['not_found', 'bad_response'] as const);

/** A stored profile for display; neither the service nor the keychain is asked. */
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
