import { TYPED } from '../world/typed.ts';
import { runCommandLine } from './command-line.ts';
import type { Errand } from './desk.ts';

/** A script runs command lines of which most are wrong in one part. */
export const type: Errand = async ({ program }) => {
  const { model } = program.world;
  for (const { args, exitCode, said } of TYPED) {
    const printed = await runCommandLine(program, args);
    const text = `${printed.stdout}\n${printed.stderr}`;
    if (printed.exitCode !== exitCode || !said.test(text))
      throw model.fail('typed', `${args.join(' ')} ends with ${printed.exitCode}: ${text}`);
  }
};
