/** The keychain of a machine: what it has by account, and whether it refuses. */
export const keychain = {
  secrets: new Map<string, string>(),
  isLocked: false,
};

/** Stands for an entry of the system's keychain. Only the Secret Service lasts. */
export class AsyncEntry {
  readonly #account: string;

  constructor(
    service: string,
    account: string,
    { linux }: { readonly linux?: { readonly store?: string } } = {},
  ) {
    if (linux?.store !== 'secret-service')
      throw new TypeError(`A keychain that lasts is not ${linux?.store}.`);
    this.#account = `${service} ${account}`;
  }

  async getPassword(): Promise<string | undefined> {
    refuseLocked();
    return keychain.secrets.get(this.#account);
  }

  async setPassword(secret: string): Promise<void> {
    refuseLocked();
    keychain.secrets.set(this.#account, secret);
  }

  async deletePassword(): Promise<boolean> {
    refuseLocked();
    return keychain.secrets.delete(this.#account);
  }
}

function refuseLocked(): void {
  if (keychain.isLocked) throw new Error('It is locked.');
}
