/**
 * Generates three sample pictures for trying the form, and the details on them: an identity card of no country and a drawn face. They are
 * clearly not real, and no two sets are equal, so one user's pictures are never reported as another's.
 */
import type { KycFields, KycPicture } from '@fulcrum/domain';
import { newClientId } from '../../../shared/ids/index.ts';

const card = { width: 1200, height: 756 } as const;
const portrait = { width: 1000, height: 1000 } as const;

/** The drawing's own colours, independent of the theme. */
const ink = '#26334a';
const paper = '#dfe8f2';
const tint = '#b9cbe0';
const skin = '#e0b48c';
const hair = '#4a3a32';
const shirt = '#5b6fb5';
const stamp = 'rgb(178 38 62 / 38%)';

type Draw = (on: CanvasRenderingContext2D, serial: string) => void;

function text(on: CanvasRenderingContext2D, content: string, x: number, y: number, px: number): void {
  on.fillStyle = ink;
  on.font = `600 ${px}px sans-serif`;
  on.fillText(content, x, y);
}

/** Waves behind the text, as on a banknote. */
function ground(on: CanvasRenderingContext2D, { width, height }: typeof card | typeof portrait): void {
  on.fillStyle = paper;
  on.fillRect(0, 0, width, height);
  on.strokeStyle = tint;
  on.lineWidth = 2;
  for (let top = -40; top < height; top += 26) {
    on.beginPath();
    for (let x = 0; x <= width; x += 12) on.lineTo(x, top + Math.sin(x / 60 + top) * 14);
    on.stroke();
  }
}

function drawSampleCard(
  on: CanvasRenderingContext2D,
  { width, height }: typeof card | typeof portrait,
): void {
  on.save();
  on.translate(width / 2, height / 2);
  on.rotate(-0.38);
  on.fillStyle = stamp;
  on.font = `800 ${Math.round(width / 6.4)}px sans-serif`;
  on.textAlign = 'center';
  on.fillText('SPECIMEN', 0, width / 18);
  on.restore();
}

/** A face within a square of `size` at `x`, `y`. */
function face(on: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  const disc = (colour: string, cx: number, cy: number, rx: number, ry: number) => {
    on.fillStyle = colour;
    on.beginPath();
    on.ellipse(x + cx * size, y + cy * size, rx * size, ry * size, 0, 0, Math.PI * 2);
    on.fill();
  };
  on.save();
  on.beginPath();
  on.rect(x, y, size, size);
  on.clip();
  disc(shirt, 0.5, 1.08, 0.46, 0.36);
  disc(hair, 0.5, 0.36, 0.26, 0.27);
  disc(skin, 0.5, 0.74, 0.1, 0.14);
  disc(skin, 0.5, 0.44, 0.21, 0.26);
  disc(ink, 0.42, 0.42, 0.022, 0.022);
  disc(ink, 0.58, 0.42, 0.022, 0.022);
  on.strokeStyle = ink;
  on.lineWidth = size / 60;
  on.beginPath();
  on.arc(x + size * 0.5, y + size * 0.5, size * 0.09, 0.25, Math.PI - 0.25);
  on.stroke();
  on.restore();
}

const drawings: Readonly<
  Record<KycPicture, { readonly size: typeof card | typeof portrait; readonly draw: Draw }>
> = {
  document_front: {
    size: card,
    draw: (on, serial) => {
      text(on, 'REPUBLIC OF NOWHERE · IDENTITY CARD', 60, 90, 40);
      on.fillStyle = tint;
      on.fillRect(60, 150, 340, 430);
      face(on, 60, 190, 340);
      const rows = ['Surname   SAMPLE', 'Given name   PERSON', 'Born   01 JAN 1990', `No.   ${serial}`];
      for (const [index, row] of rows.entries()) text(on, row, 450, 220 + index * 90, 38);
    },
  },
  document_back: {
    size: card,
    draw: (on, serial) => {
      on.fillStyle = ink;
      on.fillRect(0, 70, card.width, 110);
      text(on, 'Not a document. Drawn for a simulation.', 60, 270, 38);
      for (let x = 60, bar = 0; x < 700; bar += 1) {
        const width = 3 + ((serial.charCodeAt(bar % serial.length) + bar) % 9);
        if (bar % 2 === 0) on.fillRect(x, 320, width, 150);
        x += width;
      }
      text(on, `I<XXX${serial}<<<<<<<<<<<<<`, 60, 590, 44);
      text(on, 'SAMPLE<<PERSON<<<<<<<<<<<<<<', 60, 660, 44);
    },
  },
  selfie: {
    size: portrait,
    draw: (on, serial) => {
      face(on, 100, 120, 800);
      text(on, `Drawing ${serial}`, 60, 80, 36);
    },
  },
};

/** The number on the drawings of one set. */
export const createSampleSerial = (): string => newClientId().slice(0, 10).toUpperCase();

/** The details of the invented user on the drawn card. */
export const createSampleFields = (serial: string): KycFields => ({
  first_name: 'Person',
  last_name: 'Sample',
  date_of_birth: '1990-01-01',
  country: 'Iceland',
  address: '1 Example Street',
  city: 'Sampletown',
  postal_code: '00000',
  document_type: 'id_card',
  document_number: serial,
});

/** Rejects when this browser cannot draw. */
export async function createSamplePicture(picture: KycPicture, serial: string): Promise<Blob> {
  const { size, draw } = drawings[picture];
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height;
  const on = canvas.getContext('2d');
  if (!on) throw new Error('no canvas to draw on');
  ground(on, size);
  draw(on, serial);
  drawSampleCard(on, size);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
  if (!blob) throw new Error('the drawing could not be encoded');
  return blob;
}
