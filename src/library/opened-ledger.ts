import { attempt, type StorageError } from '../base/errors.ts';
import { answerCounter } from '../core/ledger/answers.ts';
import type { Ledger } from '../core/ledger/ledger.ts';
import type { Ports } from '../core/swaps/ports.ts';
import { memoized, type PartnerLedger } from './partner.ts';

/** Where a ledger is, and who uses it. */
export interface LedgerParts extends Pick<Ports, 'now' | 'monotonic'> {
  /** An absolute path, or a `postgres://` URL. */
  location(): string;
  /** Whether a file that can neither be found nor created counts as an empty ledger. */
  mayBeMissing(): boolean;
  /** Who acts, as the audit chain names it. */
  actor(): string;
  onDamaged(error: StorageError): void;
}

/** A ledger that is opened when it is first used. */
export interface OpenedLedger extends PartnerLedger {
  close(): Promise<void>;
}

/** Opens a ledger once. A program that uses none writes no counts, and must neither fail nor wait because it cannot. */
export function openedLedger(parts: LedgerParts): OpenedLedger {
  let opened: Ledger | null = null;
  const answers = answerCounter(async (account, counts) => {
    await attempt(async () => opened?.health.addAnswers(account, counts, parts.now()));
  }, parts.monotonic);
  return {
    ledger: memoized(async () => {
      const { openLedger } = await import('../core/ledger/ledger.ts');
      const options = { mayBeMissing: parts.mayBeMissing(), actor: parts.actor() };
      opened = await openLedger(parts.location(), parts.onDamaged, options);
      return opened;
    }, parts.monotonic),
    countAnswer: (account, path, status) => void answers.add(account, path, status),
    close: async () => {
      await answers.flush();
      const closing = opened;
      opened = null;
      await closing?.close();
    },
  };
}
