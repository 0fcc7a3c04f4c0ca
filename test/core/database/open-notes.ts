import { openDatabase } from '../../../src/core/database/open.ts';
import { NOTES, type NotesSchema } from './notes.ts';

// A process of its own that says that it begins, waits for the word, opens a database and writes one note.
const [location = '', id = ''] = process.argv.slice(2);
process.send?.('ready');
process.once('message', async () => {
  const database = await openDatabase<NotesSchema>(location, NOTES);
  await database.kysely.insertInto('notes').values({ id, body: '', seen_at: 1 }).execute();
  await database.close();
  process.disconnect();
});
