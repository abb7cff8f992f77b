import { lighthouseScores } from '@voltdeck/browser-tests/lighthouse-scores';
import { startProduct } from './product.ts';
import { seedStations } from './seed-stations.ts';

/** Lighthouse on a phone in a slow network, median of the runs; 0 to 100. */
const performanceMin = 95;
const runs = 3;

/** Lighthouse's score for the sign-in page. Its baseline is the score's own 100; a busy machine lowers it. */
export async function benchLoginPage(): Promise<string[]> {
  const product = await startProduct((database) => seedStations(database, 1));
  try {
    const performances: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      performances.push((await lighthouseScores(`http://127.0.0.1:${product.port}/login`)).performance);
    }
    const median = performances.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
    console.log(`sign-in page, Lighthouse performance on a phone: ${performances.join(', ')}; median ${median}`);
    console.log(`  ratio to the best possible  ${(median / 100).toFixed(2)}`);
    return median >= performanceMin ? [] : [`login-page: ${median}, bound ${performanceMin}`];
  } finally {
    await product.stop();
  }
}
