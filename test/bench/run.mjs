// Start-up and speed as ratios to a bare `node -e 0` and a bare node:http server, all taken in one run. It judges
// nothing. Usage: npm run bench [-- rounds [swaps]]

import { auditCost } from './audit.mjs';
import { ledgerCommands } from './commands.mjs';
import { endurance } from './endurance.mjs';
import { serverSpeed } from './server.mjs';
import { startup } from './startup.mjs';

const rounds = Number.parseInt(process.argv[2] ?? '25', 10);
await startup(rounds);
await serverSpeed(5, 2000);
await auditCost(1000);
await endurance(1_000_000, 100_000);
// `npm run bench -- 25 1000000` fills a ledger of a million swaps, which takes 5 GB and two minutes.
await ledgerCommands(Number.parseInt(process.argv[3] ?? '100000', 10));
