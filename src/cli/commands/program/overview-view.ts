import type { Action } from '../../../base/errors.ts';
import { joined, shown, visible } from '../../../base/text.ts';
import type { Standing } from '../../../core/ledger/reads.ts';
import { type Environment, environmentWord } from '../../../core/swap/swap.ts';
import { flatRows, renderDetails } from '../../terminal/details.ts';
import type { View } from '../../terminal/streams.ts';
import { blanks, padded } from '../../terminal/width.ts';

/** Summary of the profile and its swaps, and what to run next. */
export interface OverviewResult extends Standing {
  readonly version: string;
  readonly profile: string;
  readonly environment: Environment;
  /** Null for the built-in service. */
  readonly baseUrl: string | null;
  readonly next: readonly Action[];
}

/** What `swapctl` alone prints. */
export function overviewView(result: OverviewResult): View {
  const { version, profile, environment, baseUrl, open, needAttention, unknown, next } = result;
  const place = baseUrl === null ? 'the built-in service' : `${environmentWord(environment)}, ${baseUrl}`;
  return {
    json: () => result,
    rows: () => [
      ...flatRows({ version, profile, environment, baseUrl, open, needAttention, unknown }),
      ...next.map(({ command }) => ['next', command.join(' ')]),
    ],
    screen: (style, width) => {
      const urgent = needAttention + unknown;
      const alert = urgent > 0 ? style.yellow : undefined;
      const facts = renderDetails(
        [
          ['Profile', `${profile} (${place})`, style.bold, 'prose'],
          ['Open swaps', String(open)],
          ['Need attention', `${urgent}${unknown > 0 ? ` (${unknown} of unknown outcome)` : ''}`, alert],
        ],
        style,
        width,
      );
      const lines = next.map(({ command, why }) => [command.join(' '), why] as const);
      const longest = Math.max(...lines.map(([command]) => command.length));
      const tried = lines.map(
        ([command, why]) =>
          shown`  ${style.cyan(padded(visible(command), longest))}${blanks(2)}${visible(why)}\n`,
      );
      return shown`swapctl ${visible(version)}: instant cryptocurrency swaps from the command line\n\n${facts}\n${joined(tried)}\nRun \`swapctl --help\` for all commands.\n`;
    },
  };
}
