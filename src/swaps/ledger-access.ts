import { StorageError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { POLL_LEASE_MS } from '../ledger/polls.ts';
import { noteUnrecorded } from './lookup.ts';
import type { Ports } from './ports.ts';

/**
 * The ledger as a long watch uses it: trouble with it is told once and passed over, and it is tried again after a
 * while. A database that restarts is outlived.
 */
export class LedgerAccess {
  readonly #ports: Ports;
  #hasWorked = false;
  #downSince: number | null = null;
  #nextTry = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Whether the ledger has been of no use for so long that nobody can hold a lease any more: what is followed is then
   * looked at without one.
   */
  isGone(monotonic: number): boolean {
    if (this.#downSince === null) return false;
    return !this.#hasWorked || monotonic - this.#downSince > POLL_LEASE_MS;
  }

  /** Reads something; null where the ledger is not of use, or was not just now. */
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

  /** Writes something; null as in {@link read}. Where that works the ledger is of use again. */
  async write<T>(work: (ledger: Ledger) => Promise<T>): Promise<T | null> {
    return this.read(async (ledger) => {
      const value = await work(ledger);
      this.#downSince = null;
      this.#hasWorked = true;
      return value;
    });
  }

  /** Takes note of trouble that showed itself elsewhere. */
  readonly failed = (error: StorageError): void => {
    const now = this.#ports.monotonic();
    this.#nextTry = now + RETRY_MS;
    this.#downSince ??= now;
    if (now - this.#toldAt > TELL_AGAIN_MS) noteUnrecorded(this.#ports)(error);
    this.#toldAt = now;
  };
}

const RETRY_MS = 2_000;
/** Trouble that comes back sooner is the same. */
const TELL_AGAIN_MS = 60_000;
