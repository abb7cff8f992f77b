const sliceMs = 5;

/** Uses this share (0..1) of a core evenly for `forMs`: the CPU of a load's clients without the load. */
export async function burnCpu(share: number, forMs: number): Promise<void> {
  const began = process.cpuUsage();
  const beganAt = performance.now();
  const usedMs = () => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  };
  for (let at = 0; at < forMs; at = performance.now() - beganAt) {
    while (usedMs() < at * share && performance.now() - beganAt < forMs);
    await new Promise((resolve) => setTimeout(resolve, sliceMs));
  }
}
