/**
 * The strokes of each character on a grid of 4 by 6, with y downwards: spaces separate strokes, and each point is two
 * digits. Without look-alikes: 0 and O, 1 and I and L, 2 and 7 and Z, 3 and 5 and S, 6 and G, 8 and B.
 */
const strokes: Readonly<Record<string, string>> = {
  4: '301404443036',
  9: '44321312032010304136',
  A: '062046 0434',
  C: '41301001051636',
  D: '00064543412000',
  E: '40000646 0333',
  F: '400006 0333',
  G: '41301001051636454323',
  H: '0006 4046 0343',
  J: '1040 3034251504',
  K: '0006 4003 1346',
  M: '0600234046',
  N: '06004640',
  P: '060030414203',
  Q: '10301041453616050110 2547',
  R: '06003041423303 2346',
  T: '0040 2026',
  U: '000516364540',
  V: '002640',
  W: '0016233640',
  X: '0046 4006',
  Y: '002340 2326',
};
/** What a captcha is made of. */
export const captchaAlphabet = Object.keys(strokes).join('');

/** The picture has twice the resolution at which it is shown. */
export const captchaWidth = 264;
export const captchaHeight = 88;
/** Meaningless strokes join all characters, so that a program cannot cut the picture between two of them. */
const strayStrokes = 2;
const pointsPerEdge = 4;

/** Loaded on demand: megabytes of native code that a server without captchas does not need. */
const loadCodec = () => import('@napi-rs/image');

/**
 * Draws characters as a PNG in which each is turned, stretched and bent, and stray strokes run through all of them.
 * @param random from 0 up to 1, as Math.random.
 */
export async function drawCaptcha(text: string, random: () => number): Promise<Buffer> {
  const between = (low: number, high: number) => low + random() * (high - low);
  const wave = { height: between(2, 5), length: between(40, 80), phase: between(0, 7) };
  const bend = ({ x, y }: Point): Point => ({
    x: x + wave.height * Math.sin(y / (wave.length / 3) + wave.phase),
    y: y + wave.height * Math.sin(x / (wave.length / 6) + wave.phase),
  });
  const pitch = captchaWidth / (text.length + 0.6);
  const characters = [...text].flatMap((character, index) => {
    const place = { x: pitch * (index + 0.8) + between(-4, 4), y: captchaHeight / 2 + between(-6, 6) };
    const size = { x: between(8, 11), y: between(7.5, 9.5) };
    const turn = between(-0.3, 0.3);
    return strokesOf(character).map((points) =>
      finer(points).map(({ x, y }) => {
        const [right, down] = [(x - 2) * size.x, (y - 3) * size.y];
        return bend({
          x: place.x + right * Math.cos(turn) - down * Math.sin(turn),
          y: place.y + right * Math.sin(turn) + down * Math.cos(turn),
        });
      }),
    );
  });
  const stray = Array.from({ length: strayStrokes }, () => {
    const [left, middle, right] = [0, 1, 2].map(() => between(14, captchaHeight - 14)) as [number, number, number];
    const inside = captchaWidth - 2 * between(4, 24);
    return Array.from({ length: 33 }, (_, step): Point => {
      const part = step / 32;
      const y = left * (1 - part) ** 2 + 2 * middle * part * (1 - part) + right * part ** 2;
      return bend({ x: (captchaWidth - inside) / 2 + inside * part, y });
    });
  });
  const path = (lines: readonly Point[][], width: number) => {
    const d = lines.map((points) => `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`);
    return `<path d="${d.join('')}" stroke-width="${width}"/>`;
  };
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${captchaWidth}" height="${captchaHeight}">` +
    '<g fill="none" stroke="#222" stroke-linecap="round" stroke-linejoin="round">' +
    `${path(characters, 5)}${path(stray, 3)}</g></svg>`;
  const { Transformer } = await loadCodec();
  return Transformer.fromSvg(svg, '#ffffffff').resize(captchaWidth, captchaHeight).grayscale().png();
}

type Point = { x: number; y: number };

function strokesOf(character: string): Point[][] {
  return (strokes[character] ?? '')
    .split(' ')
    .map((stroke) => [...stroke.matchAll(/(\d)(\d)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) })));
}

/** The same line with more points, so that it can be bent. */
function finer(points: readonly Point[]): Point[] {
  return points.flatMap((to, index) => {
    const from = points[index - 1];
    if (from === undefined) return [to];
    return Array.from({ length: pointsPerEdge }, (_, step) => {
      const part = (step + 1) / pointsPerEdge;
      return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    });
  });
}
