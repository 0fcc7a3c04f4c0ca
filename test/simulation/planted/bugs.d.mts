/** A bug that the simulation has to find, or the named test: one exact text of one source file, and what takes its place. */
export interface PlantedBug {
  readonly name: string;
  /** What is wrong then, as a clause. */
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The test that finds it in place of the simulation, if there is one. */
  readonly test?: string;
  /** Whether that test runs the built program, which then has the bug. */
  readonly isBuilt?: true;
}

export const PLANTED: readonly PlantedBug[];
