import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createPool } from '@voltdeck/server/database/pool';

type Statement = { name: string; text: string; values: unknown[] };

/** The least that a list over HTTP can be: runs the SQL it is given and answers the rows, whoever asks. */
const client = await createPool(process.argv[2] ?? '').connect();
const server = createServer(async (asked, answer) => {
  const { rows } = await client.query((await json(asked)) as Statement);
  answer.setHeader('content-type', 'application/json');
  answer.end(JSON.stringify({ data: rows }));
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
