import { resolvePaths } from '../../../src/cli/settings/paths.ts';
import { changeConfig } from '../../../src/cli/settings/store.ts';

// A process that adds a profile to the configuration of a home folder, and is held up while it does: it stops itself.
const paths = resolvePaths({ HOME: process.argv[2] });
let stops = 1;
await changeConfig(paths, (config) => {
  if (stops-- > 0) process.kill(process.pid, 'SIGSTOP');
  const profile = { baseUrl: 'https://api.example.com', publicKey: 'k', secret: 's', environment: 'live' };
  return { ...config, profiles: { ...config.profiles, stopped: profile } };
});
process.disconnect();
