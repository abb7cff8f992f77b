const pollMs = 500;

/**
 * A killed npm takes nobody with it. Started by npm, this process then asks itself to stop as it would for anyone;
 * started by hand it may outlive its shell, as with nohup.
 */
if (process.env.npm_lifecycle_event !== undefined) {
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) process.kill(process.pid, 'SIGTERM');
  }, pollMs).unref();
}
