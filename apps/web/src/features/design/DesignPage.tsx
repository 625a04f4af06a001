/**
 * Every component of shared/ui and shared/numbers in all its states, with their tokens. Development only: the built
 * app contains neither this page nor its code.
 */
import { Buttons, Choices, Fields } from './Controls.tsx';
import { Figures } from './Figures.tsx';
import { Overlays, Tables } from './Surfaces.tsx';
import { Appearance, Tokens } from './Tokens.tsx';

export default function DesignPage() {
  return (
    <main className="mx-auto flex max-w-5xl flex-col gap-5 p-5">
      <title>Design · Fulcrum</title>
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-28 font-semibold">Design</h1>
        <Appearance />
      </header>
      <Tokens />
      <Figures />
      <Buttons />
      <Fields />
      <Choices />
      <Overlays />
      <Tables />
    </main>
  );
}
