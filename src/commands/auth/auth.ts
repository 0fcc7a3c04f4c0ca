import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { checkBaseUrl, checkProfileName } from '../../settings/profile.ts';
import { runLogin } from './login.ts';
import { runAuthList, runAuthStatus, runLogout, runSwitch } from './profiles.ts';

/** Declares `swapctl auth` and its verbs. */
export function authCommand(auth: Command, context: () => Context, login = runLogin): void {
  auth.description('Store, check and choose key pairs. Each profile is one key pair at one base URL.');
  auth.helpCommand(false);
  auth
    .command('login')
    .description(
      'Store a key pair after one signed read has proved it. There is no flag that takes a secret.',
    )
    .option('--base-url <url>', 'base URL of the partner API, https:')
    .option('--public-key <key>', 'public key')
    .option('--with-secret', 'read the secret from standard input')
    .option(
      '--environment <environment>',
      'sandbox or live (default: loopback hosts are sandboxes, all others live)',
    )
    .option('--keychain', "keep the secret in the system's keychain instead of the configuration")
    .option('-y, --yes', 'replace a stored key pair without a question')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl auth login -p prod --base-url https://api.example.com\n  $ pass show swap/prod | swapctl auth login -p prod --base-url https://api.example.com --public-key pk_1 --with-secret\n  $ swapctl auth login -p prod --base-url https://api.example.com --keychain',
    )
    .action((flags: Record<string, unknown>) => {
      const started = context();
      const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : null);
      const environment = text('environment');
      if (environment !== null && environment !== 'sandbox' && environment !== 'live') {
        throw new UsageError('--environment is sandbox or live.');
      }
      const baseUrl = text('baseUrl');
      return login(started, {
        name: started.flags.profile === undefined ? null : checkProfileName(started.flags.profile),
        baseUrl: baseUrl === null ? null : checkBaseUrl(baseUrl),
        publicKey: text('publicKey'),
        withSecret: flags['withSecret'] === true,
        environment,
        keychain: flags['keychain'] === true,
        yes: flags['yes'] === true,
      });
    });
  auth
    .command('logout')
    .description('Forget the key pair of a profile (-p, or the current one).')
    .option('-y, --yes', 'without a question')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth logout -p old')
    .action((flags: Record<string, unknown>) => runLogout(context(), { yes: flags['yes'] === true }));
  auth
    .command('status')
    .description('Say which profile is used, where its secret lies, and whether the service takes it.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl auth status\n  $ swapctl auth status -p prod --json | jq .verified',
    )
    .action(() => runAuthStatus(context()));
  auth
    .command('list')
    .description(
      'List the stored profiles, and env where the environment makes one; the one in use is marked.',
    )
    .addHelpText('after', '\nExamples:\n  $ swapctl auth list')
    .action(() => runAuthList(context()));
  auth
    .command('switch')
    .description('Use another stored profile from now on; `sandbox` is the built-in service.')
    .argument('<profile>', 'name of a stored profile, or sandbox')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth switch prod\n  $ swapctl auth switch sandbox')
    .action((name: string) => runSwitch(context(), name));
}
