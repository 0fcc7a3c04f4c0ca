import { spawn, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './home.ts';

/** A real Secret Service on a bus of its own. */
export interface Keyring {
  /** What a program needs to find it. */
  readonly env: Readonly<Record<string, string>>;
  /** A secret as libsecret's own program sees it; null where it sees none. */
  lookUp(account: string): string | null;
  /** Removes a secret, as a person may do. */
  clear(account: string): void;
  /** Locks it; no one is there to unlock it again. */
  lock(): void;
}

const BUS = `<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`;

/** Starts a bus, and gnome-keyring on it, unlocked; both end with the test. */
export async function startKeyring(): Promise<Keyring> {
  const home = await temporaryFolder();
  const runtime = join(home, 'run');
  await mkdir(runtime, { mode: 0o700 });
  await writeFile(join(home, 'bus.conf'), BUS);
  const places = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: runtime };
  const bus = spawn(
    'dbus-daemon',
    [`--config-file=${join(home, 'bus.conf')}`, '--nofork', '--print-address=1'],
    { env: places, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  onTestFinished(() => void bus.kill());
  const address = await new Promise<string>((resolve, reject) => {
    bus.once('error', reject).stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
  });
  const env = { ...places, DBUS_SESSION_BUS_ADDRESS: address };
  const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => void daemon.kill());
  // The password of its keyring: an empty one.
  daemon.stdin.end('\n');
  const call = (...args: readonly string[]) =>
    spawnSync('dbus-send', ['--session', '--print-reply', ...args], { env, encoding: 'utf8' });
  for (let look = 0; !isThere(call); look += 1) {
    if (look === 200) throw new Error('gnome-keyring did not start.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: address },
    lookUp: (account) => {
      const attributes = ['service', 'swapctl', 'username', account];
      const { status, stdout } = spawnSync('secret-tool', ['lookup', ...attributes], {
        env,
        encoding: 'utf8',
      });
      return status === 0 ? stdout : null;
    },
    clear: (account) => {
      const { status } = spawnSync('secret-tool', ['clear', 'service', 'swapctl', 'username', account], {
        env,
      });
      if (status !== 0) throw new Error(`There is no secret of ${account}.`);
    },
    lock: () => {
      const { status, stderr } = call(
        `--dest=${SECRETS}`,
        '/org/freedesktop/secrets',
        'org.freedesktop.Secret.Service.Lock',
        'array:objpath:/org/freedesktop/secrets/collection/login',
      );
      if (status !== 0) throw new Error(stderr);
    },
  };
}

const SECRETS = 'org.freedesktop.secrets';

function isThere(call: (...args: readonly string[]) => { readonly stdout: string }): boolean {
  const owner = ['/org/freedesktop/DBus', 'org.freedesktop.DBus.NameHasOwner', `string:${SECRETS}`];
  return call('--dest=org.freedesktop.DBus', ...owner).stdout.includes('boolean true');
}
