import { createPublicKey, hash, verify } from 'node:crypto';
import type { ApprovalSubject } from './request.ts';

const PREFIX = 'ed25519:';

/** What stands before the 32 bytes of a public key in its DER form (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether a signature in Base64 is that of a public key `ed25519:<base64>` under a statement. */
export function isSignedBy(key: string, statement: string, signature: string): boolean {
  const raw = Buffer.from(key.startsWith(PREFIX) ? key.slice(PREFIX.length) : '', 'base64');
  if (raw.length !== 32) return false;
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
  // Also false for a signature of another length, and for a key that is not a point on the curve.
  return verify(null, Buffer.from(statement), publicKey, Buffer.from(signature, 'base64'));
}

/** What the owner signs to replace a policy: both digests, `none` for no policy. */
export function policyStatement(account: string, before: string | null, after: string): string {
  return ['swapctl policy', account, before ?? 'none', after].join('\n');
}

/** What the owner signs to lift a stop or a suspension: `lifted` is the stored JSON of it, so no later one is lifted. */
export function resumeStatement(account: string, lifted: string): string {
  return ['swapctl resume', account, lifted].join('\n');
}

/** What the owner signs so that an unknown create stops counting, or is linked to another order than it may have made. */
export function settleStatement(account: string, entry: string, order: string | null): string {
  return ['swapctl settle', account, entry, order ?? 'none'].join('\n');
}

/** What an approval is signed for. */
export interface SignedApproval {
  readonly id: string;
  readonly digest: string;
  readonly subject: ApprovalSubject;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** What an approver signs: request, time limit and all that was shown, also what the digest leaves out. */
export function approvalStatement({ id, digest, subject, until }: SignedApproval): string {
  const shown = hash('sha256', JSON.stringify(subject));
  return ['swapctl approval', id, digest, shown, String(until)].join('\n');
}
