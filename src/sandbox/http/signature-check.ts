import { timingSafeEqual } from 'node:crypto';
import { sign } from '../../partner-api/signature.ts';
import type { Partner } from '../state/partners.ts';

const SIGNATURE_LENGTH = 128;

/**
 * Checks signatures. The right signature of a partner for an endpoint never changes, so each is computed once:
 * computing it for every request would be most of the work of a quote.
 */
export class SignatureCheck {
  readonly #expected = new WeakMap<Partner, Map<string, Buffer>>();
  readonly #given = Buffer.alloc(SIGNATURE_LENGTH);

  /** Whether a signature is right, compared in constant time; hex digits of either case are accepted. */
  isRight(partner: Partner, payload: string, signature: string): boolean {
    if (signature.length !== SIGNATURE_LENGTH) return false;
    this.#given.write(signature.toLowerCase(), 'latin1');
    return timingSafeEqual(this.#given, this.#expectedOf(partner, payload));
  }

  #expectedOf(partner: Partner, payload: string): Buffer {
    const known = this.#expected.get(partner) ?? new Map<string, Buffer>();
    const expected = known.get(payload) ?? Buffer.from(sign(payload, partner.secret), 'latin1');
    this.#expected.set(partner, known.set(payload, expected));
    return expected;
  }
}
