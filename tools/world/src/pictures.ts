import { bolt, box, Canvas, type Colour, circle, polygon } from './draw-picture.ts';

const blue = 0x5f7df9;
const navy = 0x12204f;
const white = 0xffffff;
const ink = 0x22304f;
const sun = 0xffc53d;
const green = 0x3dbe8b;
const red = 0xe5484d;

/** A charging post: a body, a screen and the lightning bolt. */
function post(canvas: Canvas, left: number, top: number, height: number, body: Colour, light: Colour): void {
  const width = height * 0.42;
  canvas
    .fill(box(left - width * 0.12, top + height * 0.96, width * 1.24, height * 0.06, 3), ink, 0.5)
    .fill(box(left, top, width, height, width * 0.18), body)
    .fill(box(left + width * 0.16, top + height * 0.1, width * 0.68, height * 0.24, 6), light)
    .fill(bolt(left + width * 0.22, top + height * 0.44, width * 0.56), sun);
}

function car(canvas: Canvas, left: number, top: number, width: number, paint: Colour): void {
  const height = width * 0.24;
  const wheel = width * 0.09;
  canvas
    .fill(box(left, top + height * 0.75, width, height, height * 0.4), paint)
    .fill(
      polygon(
        [left + width * 0.18, top + height * 0.85],
        [left + width * 0.3, top],
        [left + width * 0.68, top],
        [left + width * 0.84, top + height * 0.85],
      ),
      paint,
    )
    .fill(
      polygon(
        [left + width * 0.27, top + height * 0.75],
        [left + width * 0.34, top + height * 0.18],
        [left + width * 0.65, top + height * 0.18],
        [left + width * 0.75, top + height * 0.75],
      ),
      0xcfe3ff,
    );
  for (const at of [0.22, 0.78]) {
    canvas
      .fill(circle(left + width * at, top + height * 1.75, wheel), ink)
      .fill(circle(left + width * at, top + height * 1.75, wheel * 0.45), 0xb9c3d6);
  }
}

/** Banners of 750 × 300 and a start screen of 750 × 1334, as on an app's pages. */
export const advertPictures = {
  night() {
    const canvas = new Canvas(750, 300, 0x0b1437, 0x2c3f8f);
    canvas.fill(circle(620, 84, 46), 0xffe9a8).fill(circle(640, 72, 42), 0x141f4c);
    for (let star = 0; star < 26; star += 1) {
      canvas.fill(circle((star * 211) % 740, (star * 67) % 150, 1 + (star % 3) * 0.6), white, 0.8);
    }
    // A day's prices: low at night.
    for (let hour = 0; hour < 24; hour += 1) {
      const isNight = hour < 7 || hour > 22;
      const height = isNight ? 34 : hour % 8 > 4 ? 118 : 84;
      canvas.fill(box(60 + hour * 17, 262 - height, 11, height, 4), isNight ? green : blue, isNight ? 1 : 0.65);
    }
    post(canvas, 530, 108, 160, 0xe8edff, green);
    return canvas;
  },
  recharge() {
    const canvas = new Canvas(750, 300, 0xff9f43, 0xff6b4a);
    for (const [column, coins] of [3, 5, 8, 6].entries()) {
      for (let coin = 0; coin < coins; coin += 1) {
        const top = 250 - coin * 24;
        canvas
          .fill(box(70 + column * 104, top, 88, 20, 10), 0xc98a10)
          .fill(box(70 + column * 104, top - 4, 88, 20, 10), sun);
      }
    }
    return canvas
      .fill(circle(610, 150, 92), white, 0.18)
      .fill(circle(610, 150, 72), white)
      .fill(bolt(560, 92, 112), 0xff7a45);
  },
  journey() {
    const canvas = new Canvas(750, 300, 0xd9ecff, 0xf4f9ff);
    for (const [left, height] of [
      [40, 90],
      [110, 140],
      [180, 70],
      [560, 120],
      [640, 160],
    ] as const) {
      canvas.fill(box(left, 232 - height, 58, height, 4), 0xb6cdf3);
    }
    canvas.fill(box(0, 232, 750, 68), 0x8fa3c8).fill(box(0, 262, 750, 4), white, 0.7);
    car(canvas, 210, 138, 260, blue);
    post(canvas, 520, 92, 148, white, green);
    return canvas;
  },
  friends() {
    const canvas = new Canvas(750, 300, 0x8f6bff, 0x5f7df9);
    for (const [x, colour] of [
      [190, 0xffd6a5],
      [330, 0xcaffbf],
    ] as const) {
      canvas.fill(circle(x, 110, 42), colour).fill(box(x - 70, 166, 140, 150, 60), colour, 0.9);
    }
    return canvas
      .fill(box(500, 130, 150, 120, 10), 0xff7a90)
      .fill(box(490, 106, 170, 36, 8), 0xff9bab)
      .fill(box(566, 106, 18, 144), white)
      .fill(circle(552, 92, 20), white)
      .fill(circle(598, 92, 20), white);
  },
  holiday() {
    const canvas = new Canvas(750, 1334, 0xffb27a, 0x6f86ff);
    canvas.fill(circle(375, 430, 150), 0xfff1c9);
    canvas.fill(polygon([0, 620], [180, 430], [340, 640], [520, 400], [750, 640], [750, 760], [0, 760]), 0x4a5bb8);
    canvas.fill(box(0, 720, 750, 614), 0x3d7f63);
    canvas.fill(polygon([330, 720], [420, 720], [720, 1334], [30, 1334]), 0x55617c);
    for (let line = 0; line < 6; line += 1) {
      const top = 740 + line * line * 22;
      canvas.fill(box(375 - 2 - line * 1.6, top, 4 + line * 3.2, 14 + line * 13, 2), white, 0.85);
    }
    post(canvas, 96, 820, 330, white, green);
    car(canvas, 400, 1_000, 250, red);
    return canvas;
  },
} as const;
export type AdvertPicture = keyof typeof advertPictures;

/** What people photograph when something is wrong. */
export const feedbackPictures = {
  redLight() {
    const canvas = new Canvas(640, 480, 0x6d7787, 0x424a57);
    post(canvas, 216, 60, 380, 0xe4e8ee, 0x2b0f12);
    return canvas.fill(circle(296, 128, 22), red).fill(circle(296, 128, 34), red, 0.3);
  },
  occupied() {
    const canvas = new Canvas(640, 480, 0xa9b4c4, 0x7d8796);
    canvas.fill(polygon([120, 480], [210, 190], [430, 190], [540, 480]), green, 0.55);
    car(canvas, 150, 220, 340, 0x30343c);
    post(canvas, 30, 130, 220, 0xeef1f5, blue);
    return canvas;
  },
  brokenPlug() {
    const canvas = new Canvas(640, 480, 0x8a8f98, 0x5d626b);
    return canvas
      .fill(box(180, 120, 240, 260, 60), 0x1d2430)
      .fill(circle(300, 230, 84), 0x39424f)
      .fill(circle(268, 208, 15), 0x0c0f14)
      .fill(circle(332, 208, 15), 0x0c0f14)
      .fill(circle(300, 262, 15), 0xc97b3a)
      .fill(
        polygon([352, 120], [372, 190], [338, 240], [366, 300], [348, 380], [330, 300], [312, 244], [346, 190]),
        0xd8dde4,
      )
      .fill(box(280, 370, 44, 110, 10), 0x14181f);
  },
} as const;
export type FeedbackPicture = keyof typeof feedbackPictures;

/** What a site shows of itself, 640 × 480; the same for all sites of one kind. */
export const sitePictures = {
  entrance() {
    const canvas = new Canvas(640, 480, 0xbfdcff, 0xeef6ff);
    for (const [left, height] of [
      [20, 190],
      [110, 250],
      [500, 220],
    ] as const) {
      canvas.fill(box(left, 330 - height, 84, height, 4), 0xa9bedf);
    }
    canvas
      .fill(box(0, 330, 640, 150), 0x7c8799)
      .fill(box(210, 120, 24, 220), navy)
      .fill(box(420, 120, 24, 220), navy);
    car(canvas, 236, 296, 200, white);
    return canvas.fill(box(180, 92, 300, 54, 8), blue).fill(bolt(304, 98, 40), sun);
  },
  garage() {
    const canvas = new Canvas(640, 480, 0x39414f, 0x59616f);
    canvas.fill(polygon([0, 480], [190, 210], [450, 210], [640, 480]), 0x2b313c);
    for (const left of [90, 290, 490]) canvas.fill(box(left, 60, 90, 12, 4), 0xfff4c2, 0.9);
    canvas.fill(box(150, 120, 340, 64, 10), green).fill(bolt(298, 128, 48), white);
    car(canvas, 220, 290, 220, 0xd7dce4);
    return canvas;
  },
  sign() {
    const canvas = new Canvas(640, 480, 0xd9ecff, 0xf4f9ff);
    canvas.fill(box(0, 380, 640, 100), 0x6fa97f).fill(box(306, 210, 28, 190), ink);
    return canvas.fill(box(170, 70, 300, 170, 18), blue).fill(bolt(262, 92, 116), sun);
  },
  panorama() {
    const canvas = new Canvas(640, 480, 0xcfe3ff, 0xf7fbff);
    canvas.fill(box(0, 270, 640, 210), 0x8b95a6).fill(polygon([40, 150], [600, 150], [640, 190], [0, 190]), navy);
    for (const [place, paint] of [white, 0xd7dce4, red, ink].entries()) {
      canvas.fill(box(52 + place * 148, 190, 8, 90), 0x55617c);
      post(canvas, 70 + place * 146, 196, 96, white, green);
      car(canvas, 60 + place * 146, 340, 120, paint);
    }
    return canvas;
  },
  charger() {
    const canvas = new Canvas(640, 480, 0xe8eefc, 0xcdd8f0);
    post(canvas, 214, 40, 400, white, green);
    return canvas;
  },
} as const;
export type SitePictureName = keyof typeof sitePictures;

/** The first step of the user guide. */
export function guidePicture(): Canvas {
  const canvas = new Canvas(720, 360, 0xf4f7ff, 0xe6edff);
  post(canvas, 90, 60, 250, white, green);
  car(canvas, 330, 170, 310, blue);
  return canvas.fill(box(188, 244, 156, 10, 5), navy).fill(circle(344, 249, 13), navy);
}
