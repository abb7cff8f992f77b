import { crc32, deflateSync } from 'node:zlib';

/** 0xRRGGBB. */
export type Colour = number;

/** A shape; `distance` is called only inside its frame. */
type Shape = {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** The distance of a point from the edge in pixels, negative inside. */
  distance(x: number, y: number): number;
};

export const circle = (cx: number, cy: number, radius: number): Shape => ({
  left: cx - radius,
  top: cy - radius,
  right: cx + radius,
  bottom: cy + radius,
  distance: (x, y) => Math.hypot(x - cx, y - cy) - radius,
});

/** A box with round corners, by its top left corner. */
export const box = (left: number, top: number, width: number, height: number, corner = 0): Shape => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
  distance(x, y) {
    const dx = Math.abs(x - left - width / 2) - width / 2 + corner;
    const dy = Math.abs(y - top - height / 2) - height / 2 + corner;
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
  },
});

/** A polygon by its corners, in order. */
export const polygon = (...corners: readonly (readonly [number, number])[]): Shape => ({
  left: Math.min(...corners.map(([x]) => x)),
  top: Math.min(...corners.map(([, y]) => y)),
  right: Math.max(...corners.map(([x]) => x)),
  bottom: Math.max(...corners.map(([, y]) => y)),
  distance(x, y) {
    let nearest = Number.POSITIVE_INFINITY;
    let inside = false;
    let [ax, ay] = corners.at(-1) ?? [0, 0];
    for (const [bx, by] of corners) {
      const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2 || 1);
      const clamped = Math.min(Math.max(along, 0), 1);
      nearest = Math.min(nearest, (x - ax - clamped * (bx - ax)) ** 2 + (y - ay - clamped * (by - ay)) ** 2);
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
      [ax, ay] = [bx, by];
    }
    return inside ? -Math.sqrt(nearest) : Math.sqrt(nearest);
  },
});

/** The lightning bolt of charging products, in a square of that size. */
export const bolt = (left: number, top: number, size: number): Shape => {
  const at = (x: number, y: number) => [left + x * size, top + y * size] as const;
  return polygon(at(0.58, 0), at(0.16, 0.56), at(0.46, 0.56), at(0.36, 1), at(0.84, 0.4), at(0.52, 0.4));
};

/** Pixels to draw on, top left first. */
export class Canvas {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly #pixels: Uint8Array;

  /** Filled from one colour at the top to another at the bottom. */
  constructor(widthPx: number, heightPx: number, top: Colour, bottom: Colour) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.#pixels = new Uint8Array(widthPx * heightPx * 3);
    for (let y = 0; y < heightPx; y += 1) {
      const colour = mixed(top, bottom, y / heightPx);
      const parts = [colour >> 16, (colour >> 8) & 0xff, colour & 0xff] as const;
      for (let x = 0; x < widthPx; x += 1) this.#pixels.set(parts, (y * widthPx + x) * 3);
    }
  }

  /** Fills a shape with its edge smoothed over one pixel. `opacity` from 0 to 1. */
  fill(shape: Shape, colour: Colour, opacity = 1): this {
    const right = Math.min(Math.ceil(shape.right) + 1, this.widthPx);
    const bottom = Math.min(Math.ceil(shape.bottom) + 1, this.heightPx);
    for (let y = Math.max(Math.floor(shape.top) - 1, 0); y < bottom; y += 1) {
      for (let x = Math.max(Math.floor(shape.left) - 1, 0); x < right; x += 1) {
        const covered = Math.min(Math.max(0.5 - shape.distance(x + 0.5, y + 0.5), 0), 1);
        if (covered > 0) this.#blend(x, y, colour, covered * opacity);
      }
    }
    return this;
  }

  /** PNG, third edition: eight bits of red, green and blue, every line as its difference to the one above. */
  png(): Buffer {
    const lineBytes = this.widthPx * 3;
    const lines = Buffer.alloc((lineBytes + 1) * this.heightPx);
    for (let y = 0; y < this.heightPx; y += 1) {
      const start = y * (lineBytes + 1);
      lines[start] = 2;
      for (let at = 0; at < lineBytes; at += 1) {
        const above = y === 0 ? 0 : (this.#pixels[(y - 1) * lineBytes + at] ?? 0);
        lines[start + 1 + at] = (this.#pixels[y * lineBytes + at] ?? 0) - above;
      }
    }
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.widthPx, 0);
    header.writeUInt32BE(this.heightPx, 4);
    header.set([8, 2], 8);
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(lines, { level: 6 })),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }

  #blend(x: number, y: number, colour: Colour, opacity: number): void {
    const at = (y * this.widthPx + x) * 3;
    for (let part = 0; part < 3; part += 1) {
      const wanted = (colour >> (16 - part * 8)) & 0xff;
      const there = this.#pixels[at + part] ?? 0;
      this.#pixels[at + part] = Math.round(there + (wanted - there) * opacity);
    }
  }
}

function mixed(from: Colour, to: Colour, share: number): Colour {
  const part = (shift: number) =>
    Math.round(((from >> shift) & 0xff) + (((to >> shift) & 0xff) - ((from >> shift) & 0xff)) * share) << shift;
  return part(16) | part(8) | part(0);
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
