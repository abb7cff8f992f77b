import { announcementText } from './announcement.ts';
import { readTls } from './build.ts';
import { Endings } from './endings.ts';
import { describeFault, readEnvironment, wrongSettingExitCode } from './environment.ts';
import { openLog } from './open-log.ts';
import { startFaultOf } from './start-fault.ts';
import { startServer } from './start-server.ts';

const endings = new Endings();
/** Two signals within this time are one signal that arrived twice. */
const sameSignalMs = 500;

async function main(): Promise<void> {
  const read = readEnvironment(process.env);
  if (!read.ok) {
    for (const fault of read.error) console.error(describeFault(fault));
    process.exitCode = wrongSettingExitCode;
    return;
  }
  const settings = read.value;
  const { log, begin: beginLog } = openLog();
  const tls = await readTls(settings.tls).catch((error: Error) => {
    console.error(`TLS_CERT, TLS_KEY or TLS_CLIENT_CA cannot be used: ${error.message}`);
    return undefined;
  });
  if (tls === undefined) {
    process.exitCode = wrongSettingExitCode;
    return;
  }
  endOnSignals();
  try {
    const start = startServer(settings, {
      tls: tls ?? null,
      log,
      endings,
      onListening(announcement) {
        console.log(announcementText(announcement));
        beginLog();
      },
    });
    endings.endAfter(start);
    await start;
  } catch (error) {
    const fault = startFaultOf(error, settings);
    if (fault === null) log.fatal({ err: error }, 'the server could not start');
    else console.error(fault.line);
    await endings.endAll();
    process.exitCode = fault?.exitCode ?? 1;
  }
}

function endOnSignals(): void {
  let askedAtMs: number | null = null;
  const onSignal = () => {
    // A second Ctrl-C does not wait. npm also forwards the first one, which the terminal has already sent here.
    if (askedAtMs !== null && performance.now() - askedAtMs > sameSignalMs) process.exit(130);
    askedAtMs ??= performance.now();
    void endings.endAll().then(() => process.exit(0));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

await main();
