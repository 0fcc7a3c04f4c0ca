// Start-up and speed as ratios to a bare `node -e 0`, all taken in turns in one run. It judges nothing.
//   npm run bench [-- rounds]
import { startup } from './startup.mjs';

const rounds = Number.parseInt(process.argv[2] ?? '15', 10);
await startup(rounds);
