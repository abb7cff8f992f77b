import { once } from 'node:events';
import { type Agent, request } from 'node:http';

export type ConsoleAnswer = { status: number; body: string };

/** Calls the console's API as a signed-in user and reads the answer. @throws when the connection fails. */
export async function callConsole(agent: Agent, url: string, token: string): Promise<ConsoleAnswer> {
  const asking = request(url, { agent, headers: { token, language: 'en', accept: 'application/json' } });
  asking.end();
  const [answer] = await once(asking, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') };
}
