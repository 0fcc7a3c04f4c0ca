import { StorageError } from '../../base/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { POLL_LEASE_MS } from '../ledger/polls.ts';
import { noteUnrecorded } from './lookup.ts';
import type { Ports } from './ports.ts';

/** The ledger as a long watch uses it: a failure is reported once, and the ledger tried again after a while. */
export class LedgerAccess {
  readonly #ports: Ports;
  #hasWorked = false;
  #downSince: number | null = null;
  #nextTry = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Whether it has failed for so long that no process can hold a lease: swaps are then polled without one. */
  isGone(monotonic: number): boolean {
    if (this.#downSince === null) return false;
    return !this.#hasWorked || monotonic - this.#downSince > POLL_LEASE_MS;
  }

  /** Reads something; null if the ledger fails, or failed just before. */
  async read<T>(work: (ledger: Ledger) => Promise<T>): Promise<T | null> {
    if (this.#downSince !== null && this.#ports.monotonic() < this.#nextTry) return null;
    try {
      return await work(await this.#ports.ledger());
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.failed(error);
      return null;
    }
  }

  /** Writes something; null as in {@link read}. A write that works ends the failure. */
  async write<T>(work: (ledger: Ledger) => Promise<T>): Promise<T | null> {
    return this.read(async (ledger) => {
      const value = await work(ledger);
      this.#downSince = null;
      this.#hasWorked = true;
      return value;
    });
  }

  /** Notes a failure of the ledger elsewhere. */
  readonly failed = (error: StorageError): void => {
    const now = this.#ports.monotonic();
    this.#nextTry = now + RETRY_MS;
    this.#downSince ??= now;
    if (now - this.#reportedAt > REPORT_AGAIN_MS) noteUnrecorded(this.#ports)(error);
    this.#reportedAt = now;
  };
}

const RETRY_MS = 2_000;
/** A failure that recurs sooner is the same one. */
const REPORT_AGAIN_MS = 60_000;
