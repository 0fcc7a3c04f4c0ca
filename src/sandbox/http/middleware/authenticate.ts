import { AUTH_HEADERS } from '../../../partner-api/endpoints.ts';
import { MESSAGES } from '../../../partner-api/messages.ts';
import type { Decisions } from '../../habits/decisions.ts';
import { ApiError } from '../api-error.ts';
import type { Step } from '../request-state.ts';
import { SignatureCheck } from '../signature-check.ts';

/** Passes signed requests of a known partner; checks the key, then the payload, then the signature. */
export function authenticate({ isPayload }: Pick<Decisions, 'isPayload'>): Step {
  const check = new SignatureCheck();
  return function authenticateRequest(context, next) {
    const { headers } = context.env.incoming;
    const progress = context.get('progress');
    const partner = progress.snapshot.partners.get(headerText(headers[AUTH_HEADERS.publicKey]));
    if (partner === undefined) throw new ApiError(403, MESSAGES.INVALID_PUBLIC_KEY);
    const payload = headerText(headers[AUTH_HEADERS.payload]);
    if (!isPayload(payload, progress.endpoint)) throw new ApiError(403, MESSAGES.INVALID_PAYLOAD);
    if (!check.isRight(partner, payload, headerText(headers[AUTH_HEADERS.signature]))) {
      throw new ApiError(403, MESSAGES.INVALID_SIGNATURE);
    }
    progress.partner = partner;
    return next();
  };
}

function headerText(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
