/** Wakes whoever waits: a ring that comes while nobody does is heard by the next one. */
export class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Ends at the next ring. One may wait at a time. */
  async rung(): Promise<void> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#rung = false;
    this.#wake = null;
  }
}
