import { AUTH_HEADERS } from '../../partner-api/endpoints.ts';
import { MESSAGES } from '../../partner-api/messages.ts';
import { verifySignature } from '../../partner-api/signature.ts';
import { ApiError } from '../api-error.ts';
import type { Step } from '../app-env.ts';

/** Lets signed requests of a known partner through; checks the key, then the payload, then the signature. */
export const authenticate: Step = async (context, next) => {
  const header = (name: string): string => context.req.header(name) ?? '';
  const partner = context.get('snapshot').partners.get(header(AUTH_HEADERS.publicKey));
  if (partner === undefined) throw new ApiError(403, MESSAGES.INVALID_PUBLIC_KEY);
  const payload = header(AUTH_HEADERS.payload);
  if (payload !== context.get('endpoint')) throw new ApiError(403, MESSAGES.INVALID_PAYLOAD);
  if (!verifySignature(payload, partner.secret, header(AUTH_HEADERS.signature))) {
    throw new ApiError(403, MESSAGES.INVALID_SIGNATURE);
  }
  context.set('partner', partner);
  return next();
};
