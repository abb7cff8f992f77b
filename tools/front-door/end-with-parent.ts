const pollMs = 500;

/** Stops this process when npm is killed. A process started by hand may outlive its shell, as with nohup. */
if (process.env.npm_lifecycle_event !== undefined) {
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) process.kill(process.pid, 'SIGTERM');
  }, pollMs).unref();
}
