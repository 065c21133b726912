// Argo CD's server for config management plugins, argocd-cmp-server, and a client that asks it what the repo server asks:
// argocd-cmp server [FLAG …]
// argocd-cmp SOCKET match|generate|parameters REPOSITORY PATH [NAME=VALUE …]
// The client prints the answer as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/argoproj/argo-cd/v2/cmd/argocd-cmp-server/commands"
	"github.com/argoproj/argo-cd/v2/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v2/util/cmp"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "server" {
		serve(os.Args[2:])
		return
	}
	answer, err := ask(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		panic(err)
	}
}

// As the binary of Argo CD does it for the name argocd-cmp-server.
func serve(args []string) {
	command := commands.NewCommand()
	command.SetArgs(args)
	if err := command.Execute(); err != nil {
		os.Exit(1)
	}
}

func ask(args []string) (any, error) {
	socket, question, repository, path, variables := args[0], args[1], args[2], args[3], args[4:]
	connection, client, err := apiclient.NewConfigManagementPluginClientSet(socket).NewConfigManagementPluginClient()
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	send := func(stream cmp.StreamSender) error {
		return cmp.SendRepoStream(ctx, filepath.Join(repository, path), repository, stream, variables, nil)
	}
	switch question {
	case "match":
		stream, err := client.MatchRepository(ctx)
		return exchange(stream, err, send)
	case "generate":
		stream, err := client.GenerateManifest(ctx)
		return exchange(stream, err, send)
	case "parameters":
		stream, err := client.GetParametersAnnouncement(ctx)
		return exchange(stream, err, send)
	}
	return nil, fmt.Errorf("unknown question %q", question)
}

type call[Answer any] interface {
	cmp.StreamSender
	CloseAndRecv() (Answer, error)
}

func exchange[Answer any](stream call[Answer], err error, send func(cmp.StreamSender) error) (any, error) {
	if err != nil {
		return nil, err
	}
	if err := send(stream); err != nil {
		return nil, err
	}
	return stream.CloseAndRecv()
}
