/** A user that acts through the API alone, for journeys that do not test that user's page. */
import { expect } from './fulcrum.ts';
import { demoPassword } from './steps.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export class ApiUser {
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

  static register(url: string, username: string): Promise<ApiUser> {
    return ApiUser.#from(url, username, 'signup', {
      email: `${username}@example.test`,
      password: 'first-trade',
      data: { username, phone_number: '+12345678900' },
    });
  }

  /** A demo user, by the part before `@`: staff whose screen another journey tests. */
  static signIn(url: string, name: string): Promise<ApiUser> {
    const email = `${name}@fulcrum.local`;
    return ApiUser.#from(url, name, 'token?grant_type=password', { email, password: demoPassword });
  }

  /** Who chooses a password by a link of an import. */
  static async fromLink(url: string, username: string, link: string, password: string): Promise<ApiUser> {
    const token_hash = new URL(link).searchParams.get('token_hash');
    const user = await ApiUser.#from(url, username, 'verify', { token_hash, type: 'recovery' });
    const answer = await user.#send('/auth/v1/user', JSON.stringify({ password }), 'application/json', 'PUT');
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return user;
  }

  static async #from(url: string, username: string, path: string, sent: object): Promise<ApiUser> {
    const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
    const answer = await fetch(`${url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { apikey: anonKey, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    expect(answer.status, `${path} of ${username}`).toBe(200);
    const { access_token: token, user } = (await answer.json()) as {
      access_token: string;
      user: { id: string };
    };
    return new ApiUser(url, username, anonKey, token, user.id);
  }

  /** The same user in another one of their trading accounts, whose id it has. */
  async inAccount(accountId: string): Promise<ApiUser> {
    const { access_token: token } = await this.call<{ access_token: string }>('account_token', {
      p_account_id: accountId,
    });
    return new ApiUser(this.#url, this.username, this.#apikey, token, accountId);
  }

  /** Calls `/rest/v1/{path}`; a refusal is an answer too. */
  async ask(path: string, body?: object, method?: 'PATCH'): Promise<Answer> {
    return this.#send(`/rest/v1/${path}`, body ? JSON.stringify(body) : null, 'application/json', method);
  }

  /** The result of a procedure that has to succeed. */
  async call<Result>(procedure: string, args: object): Promise<Result> {
    const { status, body } = await this.ask(`rpc/${procedure}`, args);
    expect(status, `${procedure}: ${JSON.stringify(body)}`).toBeLessThan(300);
    return body as Result;
  }

  async upload(path: string, bytes: Buffer, type: string): Promise<void> {
    const { status, body } = await this.#send(`/storage/v1/object/${path}`, new Uint8Array(bytes), type);
    expect(status, JSON.stringify(body)).toBe(200);
  }

  async #send(
    path: string,
    body: string | Uint8Array<ArrayBuffer> | null,
    type: string,
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' = body === null ? 'GET' : 'POST',
  ): Promise<Answer> {
    const answer = await fetch(this.#url + path, {
      method,
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
