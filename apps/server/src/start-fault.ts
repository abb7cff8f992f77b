import { UnusableChannelKey } from './channels/channel-keys.ts';
import { EmbeddedPostgresError } from './database/embedded-postgres-error.ts';
import { TooFewConnections } from './database/lanes.ts';
import { MigrationError } from './database/migrate.ts';
import { type Environment, wrongSettingExitCode } from './environment.ts';
import { UnusableSecretKey } from './secrets/open-secret-key.ts';

/** Why the start failed, as one line for the operator. The code is 78 where only changed settings help. */
export type StartFault = { line: string; exitCode: number };

const otherExitCode = 1;
/** invalid_authorization_specification, invalid_password, invalid_catalog_name (PostgreSQL documentation, appendix A). */
const notLetIn = new Set(['28000', '28P01', '3D000']);
const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

/** Null for a fault that no setting explains: a bug, which belongs in the log in full. */
export function startFaultOf(error: unknown, settings: Environment): StartFault | null {
  if (error instanceof EmbeddedPostgresError || error instanceof MigrationError) {
    return { line: error.message, exitCode: otherExitCode };
  }
  if (error instanceof TooFewConnections)
    return { line: `DATABASE_URL: ${error.message}`, exitCode: wrongSettingExitCode };
  if (error instanceof UnusableChannelKey) return { line: error.message, exitCode: wrongSettingExitCode };
  if (error instanceof UnusableSecretKey) return { line: error.message, exitCode: otherExitCode };
  if (!(error instanceof Error)) return null;
  const { code, syscall, hostname, port } = error as Error & Readonly<Record<string, unknown>>;
  if (typeof code !== 'string') return null;
  const { host, dataDir, databaseUrl } = settings;
  // The server listens on two ports, and the fault says which one is meant.
  const asked = port === settings.ykcPort ? `YKC_PORT ${settings.ykcPort}` : `PORT ${settings.port}`;
  if (code === 'EADDRINUSE') {
    return { line: `${asked} on ${host} is taken by another program`, exitCode: otherExitCode };
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return { line: `${asked} on ${host} is not for this user to open`, exitCode: wrongSettingExitCode };
  }
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && hostname === host)) {
    return { line: `HOST is "${host}"; it must be an address of this machine`, exitCode: wrongSettingExitCode };
  }
  if (syscall === 'mkdir') {
    return {
      line: `DATA_DIR is "${dataDir}"; it must be the path of a folder that can be written (${code})`,
      exitCode: wrongSettingExitCode,
    };
  }
  if (databaseUrl === null) return null;
  if (notLetIn.has(code)) {
    return {
      line: `DATABASE_URL must name a database, a user and a password that are let in: ${error.message}`,
      exitCode: wrongSettingExitCode,
    };
  }
  const where = new URL(databaseUrl).host;
  if (code === 'ENOTFOUND') {
    return { line: `DATABASE_URL names the host ${where}, which nobody knows`, exitCode: wrongSettingExitCode };
  }
  if (unreachable.has(code)) {
    return { line: `the database at ${where} (DATABASE_URL) cannot be reached: ${code}`, exitCode: otherExitCode };
  }
  return null;
}
