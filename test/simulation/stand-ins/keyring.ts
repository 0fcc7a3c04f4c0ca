/** The keychains of a machine: what each has by account, and whether they are locked. */
export const keychains = { stores: new Map<string, Map<string, string>>(), isLocked: false };

/** What lasts until the next command line: the Secret Service alone. */
export function loseOtherKeychains(): void {
  for (const name of keychains.stores.keys()) if (name !== LASTING) keychains.stores.delete(name);
}

const LASTING = 'secret-service';

interface Options {
  readonly linux?: { readonly store?: string };
}

/** Stands for an entry of the system's keychain. */
export class AsyncEntry {
  readonly #store: Map<string, string>;
  readonly #account: string;

  constructor(service: string, account: string, { linux: { store = 'keyutils' } = {} }: Options = {}) {
    this.#account = `${service} ${account}`;
    this.#store = keychains.stores.get(store) ?? new Map();
    keychains.stores.set(store, this.#store);
  }

  async getPassword(): Promise<string | undefined> {
    refuseLocked();
    return this.#store.get(this.#account);
  }

  async setPassword(secret: string): Promise<void> {
    refuseLocked();
    this.#store.set(this.#account, secret);
  }

  async deletePassword(): Promise<boolean> {
    refuseLocked();
    return this.#store.delete(this.#account);
  }
}

function refuseLocked(): void {
  if (keychains.isLocked) throw new Error('It is locked.');
}
