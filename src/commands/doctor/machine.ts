import type { Context } from '../../context.ts';
import { isOn } from '../../terminal/environment.ts';
import type { DoctorCheck } from '../../views/checks/doctor.ts';
import { fail, ok, warn } from './check.ts';

/** The oldest Node that swapctl is made for, as in package.json. */
const MIN_NODE = [20, 19] as const;

/** Checks the version of Node. */
export function nodeCheck(version: string, platform: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const found = `Node ${version} on ${platform}`;
  const [wanted, wantedMinor] = MIN_NODE;
  if (major > wanted || (major === wanted && minor >= wantedMinor)) return ok('node', found);
  return fail('node', found, `Install Node ${wanted}.${wantedMinor} or newer: https://nodejs.org`);
}

/** Checks the terminal: whether a person can be asked, and what can be drawn. */
export function terminalCheck({ streams, settings }: Context): DoctorCheck {
  const env = settings.childEnv;
  const out = streams.raw.stdout.isTTY === true;
  const detail = [
    out ? `standard output is a terminal of ${streams.width} columns` : 'standard output is no terminal',
    streams.interactive ? 'questions can be asked' : `no questions: ${whyNotAsked(streams, env)}`,
  ].join('; ');
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  if (out && /^(?:C|POSIX)$/.test(locale)) {
    return warn(
      'terminal',
      `${detail}; the locale ${locale} knows ASCII alone`,
      'For QR codes and other signs, set a UTF-8 locale: export LC_ALL=C.UTF-8',
    );
  }
  if (out && env['TERM'] === 'dumb') {
    return warn(
      'terminal',
      `${detail}; TERM=dumb: no colour, and nothing is redrawn`,
      'Set TERM to the kind of your terminal, such as xterm-256color.',
    );
  }
  return ok('terminal', detail);
}

function whyNotAsked({ raw }: Context['streams'], env: NodeJS.ProcessEnv): string {
  if (isOn(env['SWAPCTL_NO_INPUT'])) return 'SWAPCTL_NO_INPUT is set';
  if (isOn(env['CI'])) return 'CI is set';
  if (raw.stdin.isTTY !== true) return 'standard input is no terminal';
  return raw.stderr.isTTY === true ? '--no-input is given' : 'standard error is no terminal';
}
