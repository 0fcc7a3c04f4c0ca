/** Wakes a loop that pauses: a ring that comes while it works ends its next pause at once. */
export class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Ends with `sleep`, or at a ring. One may pause at a time. */
  async pause(sleep: () => Promise<void>): Promise<void> {
    if (!this.#rung)
      await Promise.race([
        sleep(),
        new Promise<void>((resolve) => {
          this.#wake = resolve;
        }),
      ]);
    this.#rung = false;
    this.#wake = null;
  }
}
