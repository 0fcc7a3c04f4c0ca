import { joined, shown } from '../../../src/base/text.ts';
import { renderDetails } from '../../../src/cli/terminal/details.ts';
import type { Prompter } from '../../../src/cli/terminal/questions.ts';
import { type Streams, type View, writeOrThrow } from '../../../src/cli/terminal/streams.ts';
import type { Style } from '../../../src/cli/terminal/style.ts';
import { wrapWords } from '../../../src/cli/terminal/width.ts';

/**
 * Every way to a terminal, tried with a text that went round the gate. Nothing here runs: the type check fails as
 * soon as one of these lines compiles, for then its directive expects an error that is not there.
 */
export function forgettingTheGate(outside: string, streams: Streams, style: Style, prompter: Prompter): void {
  // @ts-expect-error: standard output
  streams.write(outside);
  // @ts-expect-error: standard output, with words of ours around it
  streams.write(`rate ${outside}\n`);
  // @ts-expect-error: what a template of ours takes
  streams.write(shown`rate ${outside}`);
  // @ts-expect-error: a visible text that was taken apart may have lost its colours' ends
  streams.write(shown`rate`.slice(2));
  // @ts-expect-error: standard error
  streams.noteRendered(outside);
  // @ts-expect-error: the stream itself
  streams.raw.stderr.write(outside);
  // @ts-expect-error: the stream itself
  streams.raw.stdout.write(outside);
  // @ts-expect-error: the bare writing
  writeOrThrow(process.stdout, outside);
  // @ts-expect-error: colour
  style.bold(outside);
  // @ts-expect-error: colour
  style.paper(outside);
  // @ts-expect-error: a drawing of a result
  void ({ json: () => null, rows: () => [], screen: () => outside } satisfies View);
  // @ts-expect-error: a drawing of a result that takes its time
  void ({ json: () => null, rows: () => [], screen: async () => outside } satisfies View);
  // @ts-expect-error: a painter of a line
  renderDetails([['Coin', outside, (text) => `${text}${outside}`]], style);
  // @ts-expect-error: a text for lines
  wrapWords(outside, 10);
  // @ts-expect-error: a text among visible ones
  joined([shown`rate`, outside]);
  // @ts-expect-error: what stands between visible texts
  joined([shown`rate`], outside);
  // @ts-expect-error: a question
  prompter.confirm({ message: outside, default: false });
  // @ts-expect-error: a question
  prompter.password({ message: outside });
  // @ts-expect-error: a question
  prompter.input({ message: `Amount of ${outside}` });
  // @ts-expect-error: what stands below a question
  prompter.input({ message: shown`Amount`, preview: async () => outside });
  // @ts-expect-error: the word for an empty answer
  prompter.input({ message: shown`Memo`, whenEmpty: outside });
  // @ts-expect-error: a choice
  prompter.select({ message: shown`Rate`, choices: [{ name: outside, value: 1 }] });
  // @ts-expect-error: a choice's short name
  prompter.select({ message: shown`Rate`, choices: [{ name: shown`a`, short: outside, value: 1 }] });
  // @ts-expect-error: a choice's description
  prompter.search({ message: shown`C`, source: () => [{ name: shown`a`, description: outside, value: 1 }] });
}
