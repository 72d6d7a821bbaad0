package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

const maxBody = 64 << 20

// Server plays one script. It listens on 127.0.0.1 only, on a port of the system's choice.
type Server struct {
	script   Script
	listener net.Listener
	http     *http.Server
	closed   chan struct{}

	mu       sync.Mutex
	requests []Request
	pos      []int // next turn of each lane
}

// Start begins to serve the script. The error is a pattern that does not compile or a port that could not be had.
func Start(ctx context.Context, s Script) (*Server, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("reading the script: %w", err)
	}
	if s.Fallback == "" {
		s.Fallback = "OK."
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the scripted model: %w", err)
	}
	srv := &Server{script: s, listener: l, closed: make(chan struct{}), pos: make([]int, len(s.Lanes))}
	srv.http = &http.Server{Handler: srv, ReadHeaderTimeout: time.Minute}
	go func() { _ = srv.http.Serve(l) }() // returns when Close closes it
	return srv, nil
}

// URL is the base address to give to the client.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Close ends the server at once, also in the middle of a delayed turn.
func (s *Server) Close() error {
	select {
	case <-s.closed:
		return nil
	default:
		close(s.closed)
	}
	if err := s.http.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("ending the scripted model: %w", err)
	}
	return nil
}

// Requests returns all requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Lane returns the requests that this lane took, those beyond its last turn included.
func (s *Server) Lane(name string) []Request {
	var out []Request
	for _, r := range s.Requests() {
		if r.Lane == name {
			out = append(out, r)
		}
	}
	return out
}

// ServeHTTP answers one request of the client.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(io.LimitReader(req.Body, maxBody))
	if err != nil {
		return // the client went away
	}
	r := Request{Method: req.Method, Path: req.URL.Path, Turn: -1}
	r.read(body)
	if req.Method != http.MethodPost || r.Path != "/v1/messages" {
		s.keep(r)
		s.aside(w, r)
		return
	}
	turn, n := s.next(&r)
	if turn.Before != nil {
		turn.Before()
	}
	if turn.Answer != nil {
		turn.Blocks = turn.Answer(r)
	}
	select {
	case <-time.After(turn.Delay):
	case <-req.Context().Done():
		return
	case <-s.closed:
		return
	}
	if turn.Error != "" {
		status := turn.Status
		if status == 0 {
			status = http.StatusBadRequest
		}
		reply(w, status, map[string]any{"type": "error", "error": map[string]any{"type": turn.Error, "message": "scripted"}})
		return
	}
	m := answer(r.Model, turn, n)
	if !r.Stream {
		reply(w, http.StatusOK, m)
		return
	}
	w.Header().Set("content-type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_ = m.stream(w) // the client may leave at any time
}

// aside answers what is not a message: probes, the list of models, token counts.
func (s *Server) aside(w http.ResponseWriter, r Request) {
	switch {
	case r.Method == http.MethodGet && r.Path == "/v1/models":
		reply(w, http.StatusOK, map[string]any{"data": []any{}, "has_more": false})
	case r.Path == "/v1/messages/count_tokens":
		reply(w, http.StatusOK, map[string]any{"input_tokens": max(1, len(r.Body)/4)})
	default:
		reply(w, http.StatusOK, map[string]any{})
	}
}

// next picks the turn for a request, keeps the request and returns its number.
func (s *Server) next(r *Request) (Turn, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	turn := Say(s.script.Fallback)
	for i, l := range s.script.Lanes {
		if !l.When.takes(r) {
			continue
		}
		r.Lane = l.Name
		if n := len(l.Turns); n > 0 && (s.pos[i] < n || l.Loop) {
			r.Turn = s.pos[i] % n
			turn = l.Turns[r.Turn]
			s.pos[i]++
		}
		break
	}
	s.requests = append(s.requests, *r)
	return turn, len(s.requests)
}

func (s *Server) keep(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

func reply(w http.ResponseWriter, status int, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}
