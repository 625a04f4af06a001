/**
 * An entry's text as React elements made from Markdown. HTML in it is shown as typed characters. Links lead to the
 * web or to a mail address and send no referrer; pictures are not loaded but linked. A text whose Markdown would take
 * too long to parse is shown as plain text.
 */
import type { ComponentProps } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { isCheapToRender } from './markdown-cost.ts';

const protocols: readonly string[] = ['http:', 'https:', 'mailto:'];

/** The address as written, or nothing for another scheme. */
function safeAddress(address: string): string {
  if (!URL.canParse(address)) return '';
  return protocols.includes(new URL(address).protocol) ? address : '';
}

function SafeLink({ href, children }: Pick<ComponentProps<'a'>, 'href' | 'children'>) {
  if (!href) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline wrap-anywhere">
      {children}
    </a>
  );
}

// The page itself uses the first three levels of headings.
const components: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => (
    <SafeLink
      href={typeof src === 'string' ? src : undefined}
    >{`Picture: ${alt || 'without a name'}`}</SafeLink>
  ),
  h1: ({ children }) => <h4 className="text-16 font-semibold">{children}</h4>,
  h2: ({ children }) => <h5 className="text-14 font-semibold">{children}</h5>,
  h3: ({ children }) => <h6 className="text-13 font-semibold">{children}</h6>,
  h4: ({ children }) => <h6 className="text-13 font-semibold">{children}</h6>,
  h5: ({ children }) => <h6 className="text-13 font-semibold">{children}</h6>,
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1 pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="flex list-decimal flex-col gap-1 pl-5">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => (
    <blockquote className="border-l-2 border-line-strong pl-3 text-text-2">{children}</blockquote>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    <pre tabIndex={0} className="overflow-x-auto rounded-control bg-inset p-3 text-12">
      {children}
    </pre>
  ),
  code: ({ children }) => <code className="rounded-badge bg-inset px-1 font-mono text-12">{children}</code>,
  hr: () => <hr className="border-line" />,
};

export default function EntryMarkdown({ text }: { readonly text: string }) {
  if (!isCheapToRender(text)) {
    return (
      <div className="max-w-prose text-14 leading-6 wrap-anywhere">
        <p className="mb-2 text-12 text-text-2">
          Shown as plain text: it has too much formatting to display.
        </p>
        <p className="whitespace-pre-wrap">{text}</p>
      </div>
    );
  }
  return (
    <div className="flex max-w-prose flex-col gap-2.5 text-14 leading-6 wrap-anywhere">
      <Markdown components={components} urlTransform={safeAddress}>
        {text}
      </Markdown>
    </div>
  );
}
