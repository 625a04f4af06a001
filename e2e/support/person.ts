/** Somebody who is there through the API alone: what their page would show is not what the journey is about. */
import { expect } from './fulcrum.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export class Person {
  readonly username: string;
  readonly id: string;
  readonly #url: string;
  readonly #apikey: string;
  readonly #token: string;

  private constructor(url: string, username: string, apikey: string, token: string, id: string) {
    this.#url = url;
    this.username = username;
    this.#apikey = apikey;
    this.#token = token;
    this.id = id;
  }

  static async register(url: string, username: string): Promise<Person> {
    const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
    const answer = await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        email: `${username}@example.test`,
        password: 'first-trade',
        data: { username, phone_number: '+12345678900' },
      }),
    });
    const { access_token: token, user } = (await answer.json()) as {
      access_token: string;
      user: { id: string };
    };
    return new Person(url, username, anonKey, token, user.id);
  }

  /** Calls `/rest/v1/{path}`; a refusal is an answer too. */
  async ask(path: string, body?: object): Promise<Answer> {
    return this.#send(`/rest/v1/${path}`, body ? JSON.stringify(body) : null, 'application/json');
  }

  async upload(path: string, bytes: Buffer, type: string): Promise<void> {
    const { status, body } = await this.#send(`/storage/v1/object/${path}`, new Uint8Array(bytes), type);
    expect(status, JSON.stringify(body)).toBe(200);
  }

  async #send(path: string, body: string | Uint8Array<ArrayBuffer> | null, type: string): Promise<Answer> {
    const answer = await fetch(this.#url + path, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        apikey: this.#apikey,
        authorization: `Bearer ${this.#token}`,
        'content-type': type,
        'x-upsert': 'true',
      },
      body,
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }
}
