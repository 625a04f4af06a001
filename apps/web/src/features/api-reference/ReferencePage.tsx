/**
 * The reference of `/fapi` and `/rest/v1`, shown from the server's own OpenAPI descriptions. The viewer cannot send requests: a key
 * typed into a page is a key that may leak. Below 768 px it shows all operations one below the other instead of a list beside one.
 */
import 'openapi-explorer';
import './viewer.css';
import { useState } from 'react';
import { Segmented } from '../../shared/ui/index.ts';
import type {} from './viewer.ts';

const interfaces = [
  { value: 'exchange', label: 'Exchange' },
  { value: 'rest', label: 'REST' },
] as const;
type Interface = (typeof interfaces)[number]['value'];

const paths: Readonly<Record<Interface, string>> = {
  exchange: '/openapi/exchange.json',
  rest: '/openapi/rest.json',
};
/** The viewer keeps the shown operation in the address: `#?route=get-/rest/v1/positions`. */
const ofAddress = (): Interface => (location.hash.includes('/rest/v1/') ? 'rest' : 'exchange');

/**
 * Only once the viewer is in the page: it begins to load when the attribute is set, and shows nothing if that ends before. React sets the
 * attributes of an element long before it inserts it, on a busy machine.
 */
const loadInto = (viewer: HTMLElement | null, path: string): void => viewer?.setAttribute('spec-url', path);

export default function ReferencePage() {
  const [shown, setShown] = useState<Interface>(ofAddress);
  const choose = (next: Interface) => {
    // An operation of one description is none of the other.
    history.replaceState(history.state, '', location.pathname);
    setShown(next);
  };
  return (
    <div className="flex w-full grow flex-col">
      <title>API reference · Fulcrum</title>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-6 py-4 max-md:px-4">
        <h1 className="text-20 font-semibold tracking-[-0.02em]">API reference</h1>
        <div className="flex flex-wrap items-center gap-3">
          <Segmented label="Interface" options={interfaces} value={shown} onChange={choose} size="compact" />
          <a href={paths[shown]} className="py-2 text-13 text-accent hover:underline">
            OpenAPI file
          </a>
        </div>
      </div>
      <div className="api-reference relative min-h-96 w-full grow">
        <div className="absolute inset-0">
          <openapi-explorer
            key={shown}
            ref={(viewer) => loadInto(viewer, paths[shown])}
            hide-console="true"
            hide-server-selection="true"
            hide-authentication="true"
            use-path-in-nav-bar="true"
            schema-expand-level={2}
          />
        </div>
      </div>
    </div>
  );
}
