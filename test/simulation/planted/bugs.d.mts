/** A bug that the simulation has to find: one exact text of one source file, and what takes its place. */
export interface PlantedBug {
  readonly name: string;
  /** What is wrong then, as a clause. */
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const PLANTED: readonly PlantedBug[];
