/** The custom element of `openapi-explorer`, as React renders it. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';

interface ViewerAttributes extends HTMLAttributes<HTMLElement> {
  readonly 'hide-console': 'true';
  readonly 'hide-server-selection': 'true';
  readonly 'hide-authentication': 'true';
  readonly 'use-path-in-nav-bar': 'true';
  readonly 'schema-expand-level': number;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'openapi-explorer': DetailedHTMLProps<ViewerAttributes, HTMLElement>;
    }
  }
}
