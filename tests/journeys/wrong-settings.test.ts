import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyDatabaseUrl } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spawnServer } from './product.ts';

const wrongSetting = 78;
let folder: string;
let noCertificate: string;
let databaseUrl: string;
let taken: { server: Server; port: number };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltdeck-settings-'));
  noCertificate = join(folder, 'not-a-certificate.pem');
  await writeFile(noCertificate, 'nothing of the kind\n');
  databaseUrl = await emptyDatabaseUrl();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  taken = { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
});
afterAll(async () => {
  taken.server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the server and waits for its end. Collects both output streams. */
async function endOf(settings: Record<string, string>): Promise<{ exitCode: number; lines: string[] }> {
  const lines: string[] = [];
  const server = spawnServer(
    { PORT: '0', YKC_PORT: '0', DEMO: '0', DATA_DIR: join(folder, 'data'), DATABASE_URL: databaseUrl, ...settings },
    (line) => lines.push(line),
  );
  const [exitCode] = (await once(server, 'close')) as [number];
  // Servers that start at once on one database may leave a partition to each other, and say so.
  return { exitCode, lines: lines.filter((line) => !line.includes('"left":[{"partition"')) };
}

describe.concurrent('a start', () => {
  test.each<[Record<string, string>, RegExp]>([
    [{ PORT: 'eighty' }, /^PORT is "eighty"; it must be a whole number from 0 to 65535$/],
    [{ PORT: '70000' }, /^PORT is "70000"/],
    [{ YKC_PORT: '-1' }, /^YKC_PORT is "-1"/],
    [{ PORT: '8768', YKC_PORT: '8768' }, /^YKC_PORT is "8768"; it must be another port than PORT$/],
    [{ HOST: 'no host' }, /^HOST is "no host"/],
    [{ HOST: '203.0.113.7' }, /^HOST is "203.0.113.7"; it must be an address of this machine$/],
    [{ ROLE: 'gateway' }, /^ROLE is "gateway"/],
    [{ DEMO: 'yes' }, /^DEMO is "yes"; it must be 0 or 1$/],
    [{ ADMIN_PASSWORD: 'short' }, /^ADMIN_PASSWORD must be from 8 to 128 characters$/],
    [{ DATABASE_URL: 'mysql://root:s3cret@db/voltdeck' }, /^DATABASE_URL must be a URL like postgres:/],
    [{ NATS_URL: 'nats://localhost' }, /^NATS_URL must be left unset/],
    [{ S3_BUCKET: 'files' }, /^S3_BUCKET must be left unset/],
    [{ S3_BUKET: 'files' }, /^S3_BUKET must be left unset/],
    [{ SMS_PROVIDER: 'carrier-pigeon' }, /^SMS_PROVIDER is "carrier-pigeon"; it must be "embedded" or "aliyun"/],
    [{ TLS_CERT: '/nowhere/cert.pem' }, /^TLS_KEY is not set; it must be set when TLS_CERT is$/],
    [
      { TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' },
      /^TLS_CERT, TLS_KEY or TLS_CLIENT_CA cannot be used: ENOENT/,
    ],
  ])('a start with %j stops with one line and code 78', async (settings, line) => {
    const { exitCode, lines } = await endOf(settings);
    expect(lines, lines.join('\n')).toHaveLength(1);
    expect(lines[0]).toMatch(line);
    expect(lines[0]).not.toContain('s3cret');
    expect(exitCode).toBe(wrongSetting);
  });

  test('a start with a file in place of DATA_DIR, or a folder in place of a certificate, stops with one line and code 78', async () => {
    const dataDir = await endOf({ DATA_DIR: noCertificate });
    expect(dataDir).toEqual({
      exitCode: wrongSetting,
      lines: [expect.stringMatching(/^DATA_DIR is ".*must be the path/)],
    });
    const tls = await endOf({ TLS_CERT: noCertificate, TLS_KEY: noCertificate });
    expect(tls).toEqual({
      exitCode: wrongSetting,
      lines: [expect.stringMatching(/^TLS_CERT, TLS_KEY or TLS_CLIENT_CA/)],
    });
  });

  test('a start with a database user that is refused stops with one line and code 78, without printing the password', async () => {
    const url = new URL(databaseUrl);
    url.password = 's3cret';
    const { exitCode, lines } = await endOf({ DATABASE_URL: url.toString() });
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL must name a database, a user and a password/)]);
    expect(lines[0]).not.toContain('s3cret');
    expect(exitCode).toBe(wrongSetting);
  });

  test('a start with several wrong settings reports each on a line of its own', async () => {
    const { exitCode, lines } = await endOf({ PORT: 'a', DEMO: 'b', ROLE: 'c' });
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(['DEMO', 'PORT', 'ROLE']);
    expect(exitCode).toBe(wrongSetting);
  });

  test('a start on a taken port, or without its database, ends with one line: another attempt may succeed', async () => {
    const port = await endOf({ PORT: String(taken.port) });
    expect(port).toEqual({ exitCode: 1, lines: [`PORT ${taken.port} on 127.0.0.1 is taken by another program`] });
    const database = await endOf({ DATABASE_URL: 'postgres://u:s3cret@127.0.0.1:1/voltdeck' });
    expect(database).toEqual({
      exitCode: 1,
      lines: ['the database at 127.0.0.1:1 (DATABASE_URL) cannot be reached: ECONNREFUSED'],
    });
  });
});
