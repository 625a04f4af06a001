/**
 * Drawings in place of the pictures of an identity check: a document's front with a silhouette, its back, a silhouette that
 * holds it. Shapes alone, so that nobody takes one for a real document. They are made of raw pixels, because the process
 * reads no SVG (`features/files/pictures.ts`).
 */
import type { KycPicture } from '@fulcrum/domain';
import sharp from 'sharp';

type Colour = readonly [red: number, green: number, blue: number];

const white: Colour = [250, 250, 247];
const ink: Colour = [52, 58, 70];
const skin: Colour = [214, 186, 160];

/** Colours of a document, one set per user. */
const papers: readonly (readonly [Colour, Colour])[] = [
  [
    [222, 232, 243],
    [58, 98, 160],
  ],
  [
    [240, 228, 216],
    [150, 84, 60],
  ],
  [
    [224, 240, 228],
    [52, 122, 84],
  ],
  [
    [238, 226, 240],
    [118, 76, 140],
  ],
];

class Drawing {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Buffer;

  constructor(width: number, height: number, ground: Colour) {
    this.width = width;
    this.height = height;
    this.#pixels = Buffer.alloc(width * height * 3);
    this.rectangle(0, 0, width, height, ground);
  }

  rectangle(left: number, top: number, width: number, height: number, colour: Colour): void {
    const [first, end] = [Math.max(0, Math.round(left)), Math.min(this.width, Math.round(left + width))];
    if (end <= first) return;
    const line = Buffer.alloc((end - first) * 3, Buffer.from(colour));
    for (let y = Math.max(0, Math.round(top)); y < Math.min(this.height, Math.round(top + height)); y += 1)
      line.copy(this.#pixels, (y * this.width + first) * 3);
  }

  ellipse(middleX: number, middleY: number, radiusX: number, radiusY: number, colour: Colour): void {
    for (let y = Math.round(middleY - radiusY); y <= middleY + radiusY; y += 1) {
      const half = radiusX * Math.sqrt(Math.max(0, 1 - ((y - middleY) / radiusY) ** 2));
      this.rectangle(middleX - half, y, 2 * half, 1, colour);
    }
  }

  /** Head and shoulders in a box. */
  silhouette(left: number, top: number, width: number, height: number, clothes: Colour): void {
    this.rectangle(left, top, width, height, white);
    this.ellipse(left + width / 2, top + height * 1.02, width * 0.42, height * 0.36, clothes);
    this.rectangle(left, top + height, width, height * 0.4, white);
    this.ellipse(left + width / 2, top + height * 0.38, width * 0.21, height * 0.24, skin);
    this.ellipse(left + width / 2, top + height * 0.24, width * 0.22, height * 0.13, ink);
  }

  async toJpeg(): Promise<Buffer> {
    const raw = { width: this.width, height: this.height, channels: 3 } as const;
    return sharp(this.#pixels, { raw }).jpeg({ quality: 82 }).toBuffer();
  }
}

const card = { width: 640, height: 404 };

/** `number` chooses colours and the lengths of the lines. */
function drawFront(number: number): Drawing {
  const [paper, accent] = papers[number % papers.length] ?? [white, ink];
  const drawing = new Drawing(card.width, card.height, paper);
  drawing.rectangle(0, 0, card.width, 64, accent);
  drawing.rectangle(28, 24, 210, 16, white);
  // Lines first: what the silhouette's box covers is its own.
  for (let line = 0; line < 6; line += 1) {
    drawing.rectangle(250, 104 + line * 46, 90, 9, accent);
    drawing.rectangle(250, 120 + line * 46, 150 + ((number * 53 + line * 71) % 190), 14, ink);
  }
  drawing.rectangle(24, 96, 196, 240, accent);
  drawing.silhouette(28, 100, 188, 232, accent);
  drawing.rectangle(24, 336, 196, 60, paper);
  drawing.rectangle(28, 352, 188, 12, ink);
  return drawing;
}

function drawBack(number: number): Drawing {
  const [paper, accent] = papers[number % papers.length] ?? [white, ink];
  const drawing = new Drawing(card.width, card.height, paper);
  drawing.rectangle(0, 36, card.width, 58, ink);
  for (let bar = 0; bar < 48; bar += 1) {
    drawing.rectangle(40 + bar * 11, 130, 2 + ((bar * 7 + number * 5) % 7), 90, ink);
  }
  for (let line = 0; line < 3; line += 1) {
    drawing.rectangle(40, 270 + line * 34, 470 + ((number * 31 + line * 17) % 80), 16, accent);
  }
  return drawing;
}

function drawSelfie(number: number): Drawing {
  const [paper, accent] = papers[number % papers.length] ?? [white, ink];
  const drawing = new Drawing(480, 640, paper);
  drawing.silhouette(20, 20, 440, 600, accent);
  drawing.rectangle(270, 420, 170, 108, accent);
  drawing.rectangle(276, 426, 158, 96, paper);
  drawing.silhouette(284, 436, 56, 70, accent);
  drawing.rectangle(340, 430, 94, 92, paper);
  // Five bits of the number a line: no two users hold the same document.
  for (let line = 0; line < 4; line += 1)
    drawing.rectangle(350, 442 + line * 18, 38 + ((number >> (5 * line)) & 31), 7, ink);
  return drawing;
}

const draws = {
  document_front: drawFront,
  document_back: drawBack,
  selfie: drawSelfie,
} as const satisfies Record<KycPicture, (number: number) => Drawing>;

/** A JPEG. */
export const drawKycPicture = (picture: KycPicture, number: number): Promise<Buffer> =>
  draws[picture](number).toJpeg();
