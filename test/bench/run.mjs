// Start-up and speed as ratios to a bare `node -e 0` and a bare node:http server, all taken in one run. It judges
// nothing. Usage: npm run bench [-- rounds]
import { endurance } from './endurance.mjs';
import { reports } from './report.mjs';
import { serverSpeed } from './server.mjs';
import { startup } from './startup.mjs';

const rounds = Number.parseInt(process.argv[2] ?? '25', 10);
await startup(rounds);
await serverSpeed(5, 2000);
await endurance(1_000_000, 100_000);
reports(100_000);
