import { writeFileSync } from 'node:fs';
import { moveIntoPlaceUnderLock } from '../../../../src/core/database/sqlite/create.ts';

// A process of its own that drafts a file and gives it its name on the word.
const [path = '', id = ''] = process.argv.slice(2);
writeFileSync(`${path}.${id}`, id);
process.send?.('ready');
process.once('message', () => {
  moveIntoPlaceUnderLock(`${path}.${id}`, path);
  process.disconnect();
});
