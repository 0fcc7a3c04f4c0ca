import type { Credentials } from '../../src/core/partner-api/signature.ts';
import { listeningUrl, type StartedRun, startProgram } from '../helpers/program.ts';
import type { Place } from '../sandbox/sandbox.ts';

/** A `sandbox start` process that can be killed, restarted, suspended and resumed. */
export interface ServerProcess {
  /** The current server, or undefined while there is none. */
  place(): Place | undefined;
  /** Kills it and starts it on another port. */
  restart(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  end(): Promise<void>;
}

/** Starts a server of the built program on a database. */
export async function startServer(
  home: string,
  database: string,
  credentials: Credentials,
): Promise<ServerProcess> {
  const args = ['sandbox', 'start', '--port', '0', '--quiet', '--rate-limit', '1000000/60s'];
  let place: Place | undefined;
  let run: StartedRun;
  const start = async (): Promise<void> => {
    run = startProgram([...args, '--database', database], { home });
    place = { url: await listeningUrl(run), credentials };
  };
  const end = async (): Promise<void> => {
    place = undefined;
    run.child.kill('SIGKILL');
    await run.ended;
  };
  await start();
  return {
    place: () => place,
    restart: async () => {
      await end();
      await start();
    },
    signal: (name) => void run.child.kill(name),
    end,
  };
}
