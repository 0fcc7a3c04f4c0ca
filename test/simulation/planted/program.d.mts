/** Builds a copy of the program with the planted bug of this name in a folder, and returns the path of its `bin/swapctl.js`. */
export function plantedProgram(name: string, copy: string): string;
