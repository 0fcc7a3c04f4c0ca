const SHORTEST = 4;
const MAX_SEEN = 1000;
const BLOT = '<redacted>';

/** Headers that carry a credential, or may: of the API, of HTTP, and of those whose name says so. */
const SECRET_HEADER = /^x-api-|auth|cookie|secret|token|signature|passw|credential|api-?key/i;

/** Whether a header carries a credential, or may. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/**
 * Blots out the credentials that clients sent, wherever they come back: a client of a recorder may have another key pair
 * than the profile. `redact` does so for the profile's own.
 */
export class CredentialFilter {
  readonly #redact: (text: string) => string;
  readonly #seen = new Set<string>();

  constructor(redact: (text: string) => string, publicKey: string) {
    this.#redact = redact;
    this.#note(publicKey);
  }

  /** Takes note of the credentials in a request's headers; the payload is a word that anybody knows. */
  note(headers: readonly (readonly [name: string, value: string])[], payload: string): void {
    for (const [name, value] of headers)
      if (isSecretHeader(name) && name.toLowerCase() !== payload) this.#note(value);
  }

  #note(value: string): void {
    const text = value.trim();
    if (text.length < SHORTEST) return;
    // The oldest go first: a client that sends another key each time must not fill the memory.
    if (this.#seen.size >= MAX_SEEN) this.#seen.delete(this.#seen.values().next().value ?? '');
    this.#seen.add(text);
  }

  /** A text without credentials. */
  clean(text: string): string {
    // A signature has 128 digits, and may come back in another case.
    let clean = this.#redact(text).replace(/[0-9a-f]{128}/gi, BLOT);
    for (const value of this.#seen)
      for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
        if (clean.includes(form)) clean = clean.replaceAll(form, BLOT);
    return clean;
  }
}
